import type { Finding } from 'unloop'
import type { ChatItem, ItemOf } from './item.js'

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
  finishCall(id: string, state: 'done' | 'failed' | 'refused', output: string, number: number): void
  decide(id: string, decision: string): void
  answer(id: string, answer: boolean): void
  /** Marks the items a loop is made of. */
  markLoop(finding: Finding): void
  /** Marks as taken back what the events from this number on have made. */
  undoFrom(number: number): void
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
      const isSeenAt = (event: number) => items.some((item) => isBlock(item, event))
      // seen when the answer was there: the call had run by then, unless it was refused before
      const isLate = state !== 'refused' && isSeenAt(number) && !isSeenAt(first)
      set(index, { ...call, state: isLate ? 'withheld' : state, output, numbers: [first, number] })
      each((item) =>
        isBlock(item, first) || isBlock(item, number)
          ? { ...item, call: state === 'refused' ? 'refused' : 'ran' }
          : item,
      )
    },
    decide: (id, decision) => each((item) => (isLoop(item, id) ? { ...item, decision } : item)),
    answer: (id, answer) => each((item) => (isQuestion(item, id) ? { ...item, answer } : item)),
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
    replace(next) {
      items = [...next]
      isOpen = false
      onChange({ type: 'all' })
    },
  }
}

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
    if (item.type === 'call' && item.state === 'running') return { ...item, state: 'lost' }
    if (item.type === 'question' && item.answer === undefined) return { ...item, answer: false }
    return item
  })
