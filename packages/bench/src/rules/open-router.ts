import { canonical, type Rule } from './rule.js'

// of its ladder we count the first rung that interferes: the call is refused at the third round
const limit = 3

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

    const endTurn = (): string | undefined => {
      let found: string | undefined
      for (const [tool, calls] of round) {
        const key = [...calls].sort().join('\n')
        const streak = streaks.get(tool)
        const count = streak?.key === key ? streak.count + 1 : 1
        streaks.set(tool, { key, count })
        if (count >= limit) found = `${tool} ${count} rounds`
      }
      const said = text.trim()
      if (said !== '') {
        textCount = said === lastText ? textCount + 1 : 1
        lastText = said
        if (textCount >= limit) found ??= 'same text'
        if (hasRepeatedTail(said)) found ??= 'repeated tail'
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
          return streak?.key === key && streak.count + 1 >= limit ? event.name : undefined
        }
        default:
          return undefined
      }
    }
  },
}

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
