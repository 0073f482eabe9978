import type { Conversation } from './conversation.js'

/** What the person decides about a loop. */
export type Choice =
  | { type: 'stop' }
  | { type: 'continue-once' }
  | { type: 'allow'; tool?: string; times?: number | 'always' }
  | { type: 'hint'; text: string }
  | { type: 'go-back'; hint?: string }
  | { type: 'disable' }

/** Puts a decision into effect: in the guard, and in the history; gives the first event that was undone, if any was. */
export function choose(conversation: Conversation, choice: Choice): number | undefined {
  const { guard, watch, history, handOff, stopped } = conversation
  let undone: number | undefined
  const length = stopped?.length ?? history.length
  switch (choice.type) {
    case 'stop':
      guard.stop()
      break
    case 'continue-once':
      guard.continueOnce()
      history.truncate(length)
      break
    case 'allow': {
      const tool = choice.tool ?? stopped?.finding.tool
      if (tool === undefined) {
        throw new RangeError(`this loop is not about a tool, got ${stopped?.finding.kind}`)
      }
      guard.allow(tool, choice.times ?? 'always')
      history.truncate(length)
      break
    }
    case 'hint':
      history.truncate(length)
      conversation.note(guard.hint(choice.text))
      break
    case 'go-back':
      undone = guard.goBack()
      history.cutFrom(undone)
      handOff.goBack(history.toMessages())
      watch.takeAdvice()
      if (choice.hint) conversation.note(choice.hint)
      break
    case 'disable':
      watch.mode = 'off'
      history.truncate(length)
      break
  }
  conversation.stopped = undefined
  conversation.save()
  return undone
}
