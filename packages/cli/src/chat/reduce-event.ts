import type { ClientEvent } from '@unloop/agent'
import type { Finding } from 'unloop'
import { type CallFate, plural } from 'unloop/words'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { splitBlocks } from './answer-blocks.js'
import { describeLimit } from './describe-limit.js'
import { loopDialog } from './dialog.js'
import { type ChatState, IDLE, type Item, type Live, type Since } from './state.js'

/** The chat after an event of the agent; `number` is that of the guard's last event. */
export function reduceEvent(
  state: ChatState,
  event: ClientEvent,
  { number, at }: { number: number; at: number },
): ChatState {
  switch (event.type) {
    case 'prompt':
      return { ...state, marks: [] }
    case 'turn-start':
      return {
        ...state,
        live: { ...state.live, isSaid: false, isSilent: true },
        marks: [...state.marks, { number, turn: event.turn, at }],
      }
    case 'text':
      return withText(finishThought(heard(state, event.text)), printable(event.text))
    case 'reasoning': {
      const { live } = state
      return { ...state, live: { ...live, reasoning: live.reasoning + printable(event.text) } }
    }
    case 'tool-call': {
      const settled = finishText(finishThought(heard(state, event.name)))
      const call = { id: event.id, name: printable(event.name), args: argsOf(event.args) }
      return { ...settled, live: { ...settled.live, calls: [...settled.live.calls, call] } }
    }
    case 'tool-result':
      return withResult(finishText(finishThought(state)), event)
    case 'turn-end': {
      const settled = finishText(finishThought(state))
      return { ...settled, live: { ...settled.live, isSaid: true } }
    }
    case 'retry':
      return askedAgain(state, event.reason)
    case 'handoff':
      return notice(settle(state), `handed to ${event.to}: ${printable(event.text)}`)
    case 'compaction':
      return notice(
        state,
        event.kept === event.messages
          ? 'the history is as short as it can be'
          : `the history was shortened from ${event.messages} to ${plural(event.kept, 'message')}`,
      )
    case 'fault':
      return { ...state, fault: printable(`${event.part} failed: ${event.message}`) }
    case 'loop_warning': {
      const { finding } = event
      const call = fateOf(finding, state.live)
      return add(finishText(finishThought(state)), { type: 'warning', finding, ...call })
    }
    case 'loop_detected': {
      const { finding } = event
      const settled = add(settle(state), { type: 'loop', finding })
      return { ...settled, dialog: loopDialog(settled.items, finding, sinceOf(state, finding, at)) }
    }
    case 'turn-limit':
      return notice(
        settle(state),
        `${describeLimit(event)}; send "go on" to continue, or /retry to start over`,
      )
    case 'error':
      return add(settle(state), { type: 'error', message: event.message, advice: event.advice })
    case 'finished':
      if (event.reason !== 'done') return notice(settle(state), FINISHED[event.reason])
      return state.live.isSilent ? notice(settle(state), EMPTY_ANSWER) : settle(state)
    // the status line tells of it
    case 'usage':
      return state
    default:
      return never(event)
  }
}

const FINISHED = {
  length: "the answer reached the model's length limit and ends here",
  refused: 'the model refused to answer',
  aborted: 'stopped',
}

const EMPTY_ANSWER = 'the model sent an empty answer; /retry asks again'

/** The model has said something, unless it is blank. */
const heard = (state: ChatState, said: string): ChatState =>
  state.live.isSilent && said.trim() !== ''
    ? { ...state, live: { ...state.live, isSilent: false } }
    : state

/** What was said so far is not part of the answer. */
function askedAgain(state: ChatState, reason: string): ChatState {
  const isBegun = state.live.text.trim() !== ''
  const settled = settle(state)
  const items = settled.items.map(
    (item, at): Item =>
      isBegun && item.type === 'answer' && at >= state.items.length
        ? { ...item, isBroken: true }
        : item,
  )
  const words = isBegun ? 'the answer broke off and does not count; asking' : 'asking'
  const live = { ...settled.live, isSilent: true }
  return notice({ ...settled, items, live }, `${words} the model again: ${reason}`)
}

/** Puts everything that was going on into the transcript. */
export function settle(state: ChatState): ChatState {
  const done = finishText(finishThought(state))
  const calls = done.live.calls.map(
    ({ name, args }): Item => ({
      type: 'call',
      name,
      args,
      outcome: state.live.isSaid ? 'stopped' : 'skipped',
    }),
  )
  return { ...add(done, ...calls), live: IDLE }
}

/** Blocks that are complete go to the transcript, so that what is drawn again and again stays small. */
function withText(state: ChatState, text: string): ChatState {
  const { live } = state
  const whole = live.text + text
  // most pieces are within a line, where no block ends
  if (!text.includes('\n') && whole.length < LONG_LINE) {
    return { ...state, live: { ...live, text: whole } }
  }
  const { done, rest, isJoined } = splitBlocks(whole)
  if (done.length < ENOUGH) return { ...state, live: { ...live, text: whole } }
  return add(
    { ...state, live: { ...live, text: rest, isJoined } },
    { type: 'answer', text: done, ...(live.isJoined && { isJoined: true }) },
  )
}

const LONG_LINE = 5000
// a few lines: a transcript of thousands of items is slow to add to
const ENOUGH = 400

function finishText(state: ChatState): ChatState {
  const { text, isJoined } = state.live
  const live = { ...state.live, text: '', isJoined: false }
  if (text.trim() === '') return { ...state, live }
  return add({ ...state, live }, { type: 'answer', text, ...(isJoined && { isJoined }) })
}

function finishThought(state: ChatState): ChatState {
  const { reasoning } = state.live
  if (reasoning === '') return state
  const live = { ...state.live, reasoning: '' }
  return add({ ...state, live }, { type: 'thought', text: reasoning })
}

function withResult(
  state: ChatState,
  { id, name, output, isError, outcome, isWithheld }: Extract<ClientEvent, { type: 'tool-result' }>,
): ChatState {
  const call = state.live.calls.find((each) => each.id === id)
  const calls = state.live.calls.filter((each) => each !== call)
  return add(
    { ...state, live: { ...state.live, calls } },
    {
      type: 'call',
      name: printable(name),
      args: call?.args ?? '',
      output: printable(output),
      isError,
      outcome,
      ...(isWithheld && { isWithheld }),
    },
  )
}

/** What became of the call: the guard sees it before it runs, and its answer afterwards. A judge speaks between calls. */
export function fateOf(
  { action, detector }: Finding,
  { isSaid }: Pick<Live, 'isSaid'>,
): { call?: CallFate } {
  if (action !== 'block' || detector === 'judge') return {}
  return { call: isSaid ? 'ran' : 'refused' }
}

/** When the loop began, by the turns this chat has seen begin. */
function sinceOf({ marks }: ChatState, finding: Finding, at: number): Since | undefined {
  const mark = marks.findLast(({ number }) => number <= finding.firstEvent)
  return mark && { turn: mark.turn, agoMs: at - mark.at }
}

const add = (state: ChatState, ...items: Item[]): ChatState => ({
  ...state,
  items: [...state.items, ...items],
})

const notice = (state: ChatState, text: string) => add(state, { type: 'notice', text })

const argsOf = (args: unknown) => printable(JSON.stringify(args) ?? '')
