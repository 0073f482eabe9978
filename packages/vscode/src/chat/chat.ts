import type { Finding } from 'unloop'
import type { CallState, ChatItem, ItemOf } from './item.js'

/** The items of a chat, and a word to `onChange` for each change. */
export interface Chat {
  readonly items: readonly ChatItem[]
  /** Puts an item at the end; gives its index. */
  add(item: ChatItem): number
  /** Adds text to the last item if it is of this type, else begins one. */
  write(type: 'answer' | 'thought', text: string, number: number, agent?: string): void
  /** What is written next begins a new item. */
  endText(): void
  /** Shows how a call ended, and with that what became of the call that a warning is about. */
  finishCall(id: string, state: CallState, output: string, number: number): void
  /** Whether a call runs, or waits for the person. */
  setCall(id: string, state: 'running' | 'waiting'): void
  /** The run is over: nothing runs any more. */
  endCalls(): void
  decide(id: string, decision: string): void
  answer(id: string, answer: boolean, isCancelled?: boolean): void
  /** Marks the items a loop is made of. */
  markLoop(finding: Finding): void
  /** Marks as taken back what the events from this number on have made. */
  undoFrom(number: number): void
  /** Marks as taken back what came after the last message of the person. */
  undoAnswer(): void
  replace(items: readonly ChatItem[]): void
}

/** What the view is told of a change. */
export type Change =
  | { type: 'item'; index: number; item: ChatItem }
  | { type: 'delta'; index: number; text: string }
  | { type: 'all' }

/** A chat with these items. */
export function createChat(
  onChange: (change: Change) => void,
  initial: readonly ChatItem[] = [],
): Chat {
  let items = [...initial]
  let isOpen = false

  function set(index: number, item: ChatItem) {
    items[index] = item
    onChange({ type: 'item', index, item })
  }

  function add(item: ChatItem): number {
    isOpen = false
    set(items.length, item)
    return items.length - 1
  }

  /** Changes those that `change` gives something else for. */
  function each(change: (item: ChatItem) => ChatItem) {
    for (const [index, item] of items.entries()) {
      const next = change(item)
      if (next !== item) set(index, next)
    }
  }

  return {
    get items() {
      return items
    },
    add,
    write(type, text, number, agent) {
      const index = items.length - 1
      const last = items[index]
      if (isOpen && last?.type === type && last.agent === agent) {
        items[index] = {
          ...last,
          text: last.text + text,
          numbers: [last.numbers?.[0] ?? number, number],
        }
        onChange({ type: 'delta', index, text })
        return
      }
      add({ type, text, numbers: [number, number], ...(agent !== undefined && { agent }) })
      isOpen = true
    },
    endText() {
      isOpen = false
    },
    finishCall(id, state, output, number) {
      const index = items.findLastIndex((item) => item.type === 'call' && item.id === id)
      const call = items[index]
      if (call?.type !== 'call') return
      const first = call.numbers?.[0] ?? number
      set(index, { ...call, state, output, numbers: [first, number] })
      const fate = fateOf(state)
      if (!fate) return
      each((item) =>
        isBlock(item, first) || isBlock(item, number) ? { ...item, call: fate } : item,
      )
    },
    setCall: (id, state) =>
      each((item) =>
        item.type === 'call' && item.id === id && isOpenCall(item) ? { ...item, state } : item,
      ),
    endCalls: () => each(toEnded),
    decide: (id, decision) => each((item) => (isLoop(item, id) ? { ...item, decision } : item)),
    answer: (id, answer, isCancelled = false) =>
      each((item) => (isQuestion(item, id) ? { ...item, answer, isCancelled } : item)),
    markLoop: ({ firstEvent: since, lastEvent: at }) =>
      each((item) =>
        isMade(item) && item.numbers && item.numbers[0] >= since && item.numbers[0] <= at
          ? { ...item, isLoop: true }
          : item,
      ),
    undoFrom: (number) =>
      each((item) =>
        isMade(item) && item.numbers && item.numbers[1] >= number
          ? { ...item, isUndone: true }
          : item,
      ),
    undoAnswer: () => {
      const request = items.findLastIndex(({ type }) => type === 'person')
      for (const [index, item] of items.entries()) {
        if (index > request && isMade(item)) set(index, { ...item, isUndone: true })
      }
    },
    replace(next) {
      items = [...next]
      isOpen = false
      onChange({ type: 'all' })
    },
  }
}

/** What is told of a call with a warning about it: that it was refused, or that it ran and its answer was withheld. */
function fateOf(state: CallState): ItemOf<'warning'>['call'] {
  if (state === 'refused') return 'refused'
  return state === 'withheld' ? 'ran' : undefined
}

const isOpenCall = ({ state }: ItemOf<'call'>) => state === 'running' || state === 'waiting'

const toEnded = (item: ChatItem): ChatItem =>
  item.type === 'call' && isOpenCall(item) ? { ...item, state: 'lost' } : item

const isLoop = (item: ChatItem, id: string): item is ItemOf<'loop'> =>
  item.type === 'loop' && item.id === id && item.decision === undefined

/** Whether it is a warning that this event should not have happened. */
const isBlock = (item: ChatItem, event: number): item is ItemOf<'warning'> =>
  item.type === 'warning' && item.finding.action === 'block' && item.finding.lastEvent === event

const isQuestion = (item: ChatItem, id: string): item is ItemOf<'question'> =>
  item.type === 'question' && item.id === id && item.answer === undefined

/** Whether it is the model's doing, and neither the person's nor the guard's. */
const isMade = ({ type }: ChatItem) => type === 'answer' || type === 'thought' || type === 'call'

/** The loop that was not decided about yet, if there is one. */
export function openLoop(items: readonly ChatItem[]): ItemOf<'loop'> | undefined {
  const last = items.findLast((item) => item.type === 'loop' || item.type === 'person')
  return last?.type === 'loop' && last.decision === undefined ? last : undefined
}

/** The items as they are after a restart, when nothing runs any more. */
export const afterRestart = (items: readonly ChatItem[]): ChatItem[] =>
  items.map((item) => {
    if (item.type === 'call') return toEnded(item)
    if (item.type === 'question' && item.answer === undefined) {
      return { ...item, answer: false, isCancelled: true }
    }
    return item
  })
