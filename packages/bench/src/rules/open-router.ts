import { canonical, type Rule, type Said } from './rule.js'

// of its ladder we count the first rung that interferes, at the third round the call is refused, and the last
const limit = 3
const last = 6

/**
 * OpenRouter's agent package (November 2026), with its doom-loop option on: per tool, the same set of calls round
 * after round, whatever other tools did; at the end of a message, a block of up to sixteen words at its tail four
 * times over; the same message three steps running. Answers are not looked at.
 */
export const openRouterRule: Rule = {
  name: 'OpenRouter rule',
  start() {
    let round = new Map<string, Set<string>>()
    let streaks = new Map<string, { key: string; count: number }>()
    let text = ''
    let lastText = ''
    let textCount = 0

    const endTurn = (): Said | undefined => {
      let found: Said | undefined
      for (const [tool, calls] of round) {
        const key = [...calls].sort().join('\n')
        const streak = streaks.get(tool)
        const count = streak?.key === key ? streak.count + 1 : 1
        streaks.set(tool, { key, count })
        if (count >= limit) found = say(`${tool} ${count} rounds`, count)
      }
      const said = text.trim()
      if (said !== '') {
        textCount = said === lastText ? textCount + 1 : 1
        lastText = said
        if (textCount >= limit) found ??= say('same text', textCount)
        if (hasRepeatedTail(said)) found ??= say('repeated tail', limit)
      }
      round = new Map()
      text = ''
      return found
    }

    return (event) => {
      switch (event.type) {
        case 'prompt': {
          const found = endTurn()
          streaks = new Map()
          textCount = 0
          return found
        }
        case 'turn-start':
        case 'turn-end':
          return endTurn()
        case 'text':
          text += event.text
          return undefined
        case 'tool-call': {
          const calls = round.get(event.name) ?? new Set()
          round.set(event.name, calls.add(canonical(event.args)))
          // the refusal comes when the round is about to run, which is what the last of its calls shows
          const streak = streaks.get(event.name)
          const key = [...calls].sort().join('\n')
          const count = streak?.key === key ? streak.count + 1 : 1
          return count >= limit ? say(event.name, count) : undefined
        }
        default:
          return undefined
      }
    }
  },
}

const say = (what: string, count: number): Said => ({ what, stops: count >= last })

function hasRepeatedTail(text: string): boolean {
  const words = text.split(/\s+/).slice(-64)
  for (let period = 1; period <= 16; period++) {
    const length = Math.max(4 * period, Math.ceil(12 / period) * period)
    if (words.length < length) continue
    const tail = words.slice(-length)
    if (tail.slice(period).every((word, index) => word === tail[index])) return true
  }
  return false
}
