import { plural } from 'unloop/words'

/** How long ago something happened, in words. */
export function ago(time: number, now = Date.now()): string {
  const minutes = Math.floor((now - time) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48
    ? `${plural(hours, 'hour')} ago`
    : `${plural(Math.floor(hours / 24), 'day')} ago`
}
