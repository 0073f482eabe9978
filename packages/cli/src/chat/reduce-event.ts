import type { ClientEvent } from '@unloop/agent'
import type { Finding } from 'unloop'
import { plural } from 'unloop/words'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { loopDialog } from './dialog.js'
import { type ChatState, IDLE, type Item, type Since } from './state.js'

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
      return { ...state, marks: [...state.marks, { number, turn: event.turn, at }] }
    case 'text':
      return withText(finishThought(state), printable(event.text))
    case 'reasoning': {
      const { live } = state
      return { ...state, live: { ...live, reasoning: live.reasoning + printable(event.text) } }
    }
    case 'tool-call': {
      const settled = finishText(finishThought(state))
      const call = { id: event.id, name: event.name, args: argsOf(event.args) }
      return { ...settled, live: { ...settled.live, calls: [...settled.live.calls, call] } }
    }
    case 'tool-result':
      return withResult(finishText(finishThought(state)), event)
    case 'turn-end':
      return finishText(finishThought(state))
    case 'retry':
      return notice(settle(state), `asking the model again: ${event.reason}`)
    case 'handoff':
      return notice(settle(state), `handed to ${event.to}: ${printable(event.text)}`)
    case 'compaction':
      return notice(
        state,
        `the history was shortened from ${event.messages} to ${plural(event.kept, 'message')}`,
      )
    case 'fault':
      return { ...state, fault: printable(`${event.part} failed: ${event.message}`) }
    case 'loop_warning':
      return add(finishText(finishThought(state)), { type: 'warning', finding: event.finding })
    case 'loop_detected': {
      const { finding } = event
      const settled = add(settle(state), { type: 'loop', finding })
      return { ...settled, dialog: loopDialog(settled.items, finding, sinceOf(state, finding, at)) }
    }
    case 'turn-limit':
      return notice(
        settle(state),
        `ended after ${plural(event.turns, 'turn')}, the limit; send "go on" to continue`,
      )
    case 'error':
      return add(settle(state), { type: 'error', message: event.message, advice: event.advice })
    case 'finished':
      return event.reason === 'done' ? settle(state) : notice(settle(state), FINISHED[event.reason])
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

/** Puts everything that was going on into the transcript. */
export function settle(state: ChatState): ChatState {
  const done = finishText(finishThought(state))
  const calls = done.live.calls.map(({ name, args }): Item => ({ type: 'call', name, args }))
  return { ...add(done, ...calls), live: IDLE }
}

/** Lines that are complete go to the transcript, so that what is drawn again and again stays small. */
function withText(state: ChatState, text: string): ChatState {
  const whole = state.live.text + text
  const end = whole.lastIndexOf('\n')
  if (end < 0) return { ...state, live: { ...state.live, text: whole } }
  const lines = whole.slice(0, end)
  const rest = { ...state, live: { ...state.live, text: whole.slice(end + 1), isBegun: true } }
  return add(rest, { type: 'answer', text: lines, isFirst: !state.live.isBegun })
}

function finishText(state: ChatState): ChatState {
  const { text, isBegun } = state.live
  const live = { ...state.live, text: '', isBegun: false }
  if (text.trim() === '') return { ...state, live }
  return add({ ...state, live }, { type: 'answer', text, isFirst: !isBegun })
}

function finishThought(state: ChatState): ChatState {
  const { reasoning } = state.live
  if (reasoning === '') return state
  const live = { ...state.live, reasoning: '' }
  return add({ ...state, live }, { type: 'thought', text: reasoning })
}

function withResult(
  state: ChatState,
  { id, name, output, isError }: Extract<ClientEvent, { type: 'tool-result' }>,
): ChatState {
  const call = state.live.calls.find((each) => each.id === id)
  const calls = state.live.calls.filter((each) => each !== call)
  return add(
    { ...state, live: { ...state.live, calls } },
    { type: 'call', name, args: call?.args ?? '', output: printable(output), isError },
  )
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
