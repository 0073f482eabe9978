/**
 * The rule of `text-window`, written plainly and slowly over the whole text: the index of the
 * character that makes it a loop, or -1.
 */
export function windowOracle(
  text: string,
  { size, count, distance, history }: Record<'size' | 'count' | 'distance' | 'history', number>,
): number {
  let tracked = ''
  let line = ''
  let fence = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string
    if (character === '\n') {
      const ended = line
      line = ''
      if (fence ? closes(ended, fence) : opens(ended)) {
        fence = fence ? '' : (opens(ended) ?? '')
        tracked = ''
        continue
      }
      if (fence) continue
      if (DIVIDER_LINE.test(ended) || BARE_MARK.test(ended)) {
        tracked = ''
        continue
      }
    } else {
      line += character
      if (fence) continue
      if (MARK.test(line) || ROW.test(line)) {
        tracked = ''
        continue
      }
    }
    tracked = (tracked + character).slice(-history)
    if (line !== '' && DIVIDER_LINE.test(line)) continue
    if (tracked.length >= size && isLoop(places(tracked, tracked.slice(-size)), count, distance)) {
      return i
    }
  }
  return -1
}

const MARK = /^[ \t\r\u00a0]*(?:[-*+]|\d+\.|#+|>)[ \t\r\u00a0]$/
const BARE_MARK = /^[ \t\r\u00a0]*(?:[-*+]|\d+\.|#+|>)$/
const ROW = /^[ \t\r\u00a0]*\|[^|]*\|$/
const DIVIDER_LINE =
  /^[ \t\r\u00a0]*(?:[-*+](?:[-=_*+\u2500-\u259f][-=_*+\u2500-\u259f| \t\r\u00a0]*)?|[=_\u2500-\u259f][-=_*+\u2500-\u259f| \t\r\u00a0]*)$/

const opens = (line: string) => /^[ \t\r\u00a0]*(`{3,}|~{3,})/.exec(line)?.[1]

function closes(line: string, fence: string): boolean {
  const [, marks = ''] = /^[ \t\r\u00a0]*(`{3,}|~{3,})[ \t\r\u00a0]*$/.exec(line) ?? []
  return marks.startsWith(fence)
}

function places(text: string, window: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(window); at >= 0; at = text.indexOf(window, at + 1)) found.push(at)
  return found
}

function isLoop(found: number[], count: number, distance: number): boolean {
  if (found.length < count) return false
  const last = found.slice(-count)
  return ((last.at(-1) as number) - (last[0] as number)) / (count - 1) <= distance
}
