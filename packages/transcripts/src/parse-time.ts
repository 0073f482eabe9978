/** Milliseconds since the epoch of an ISO time; undefined if it is none. */
export function parseTime(text: string): number | undefined {
  // what is written one after the other is mostly of the same minute: only its seconds are new
  if (text.length === 24 && text.startsWith(minute)) {
    const ms = secondsIn(text)
    if (ms >= 0) return minuteStart + ms
  }
  const time = Date.parse(text)
  if (Number.isNaN(time)) return
  if (WRITTEN.test(text)) {
    minute = text.slice(0, 17)
    minuteStart = Math.floor(time / 60_000) * 60_000
  }
  return time
}

// as `toISOString` has it
const WRITTEN = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/

/** the minute that was read last, with the colon before the seconds */
let minute = '?'
let minuteStart = 0

/** Milliseconds of `SS.mmmZ` at the end of a time; NaN if it ends otherwise. */
function secondsIn(text: string): number {
  if (text[19] !== '.' || text[23] !== 'Z') return Number.NaN
  const seconds = digit(text, 17) * 10 + digit(text, 18)
  const ms = digit(text, 20) * 100 + digit(text, 21) * 10 + digit(text, 22)
  return seconds < 60 ? seconds * 1000 + ms : Number.NaN
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48
  return value >= 0 && value <= 9 ? value : Number.NaN
}
