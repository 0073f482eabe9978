import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './reply.js'

/** Sends events as networks do, with the answer's fault; resolves when everything is sent. */
export async function writeEvents(
  response: ServerResponse,
  events: readonly string[],
  answer: Answer,
  streamError: string,
): Promise<void> {
  const { text, end } = toPlan(events, answer, streamError)
  response.flushHeaders()
  for (const bytes of toWrites(Buffer.from(text))) {
    if (response.destroyed) return
    await write(response, bytes)
    if (answer.pauseMs !== undefined) await wait(answer.pauseMs)
  }
  if (end === 'cut') response.destroy()
  if (end === 'well') response.end()
  // a silent server stays silent until the client or the test gives up
  if (!response.closed) await once(response, 'close')
}

/** What is sent, and how it ends. */
function toPlan(
  events: readonly string[],
  answer: Answer,
  streamError: string,
): { text: string; end: 'well' | 'cut' | 'never' } {
  const at = Math.min(answer.after ?? Math.floor(events.length / 2), events.length)
  const before = events.slice(0, at).join('')
  const next = events[at] ?? ''
  switch (answer.fault) {
    case 'cut':
      return { text: before + next.slice(0, next.length / 2), end: 'cut' }
    case 'unfinished':
      return { text: before, end: 'well' }
    case 'malformed':
      return {
        text: `${before}data: {"this is": no json\n\n${events.slice(at).join('')}`,
        end: 'well',
      }
    case 'silence':
      return { text: before, end: 'never' }
    case 'error':
      return { text: before + streamError, end: 'well' }
    default:
      return { text: events.join(''), end: 'well' }
  }
}

/** Cuts bytes where it hurts: within events, across events, and once within a character. */
export function* toWrites(bytes: Buffer): Generator<Buffer> {
  const inCharacter = bytes.findIndex((byte) => byte >= 0x80) + 1
  let from = 0
  for (let count = 0; from < bytes.length; count++) {
    // most events are 100 to 400 bytes long
    let to = from + ([40, 700, 150, 1900, 9][count % 5] ?? 40)
    if (from < inCharacter && inCharacter < to) to = inCharacter
    yield bytes.subarray(from, to)
    from = to
  }
}

/** Waits until the bytes are sent, so that they do not join the next ones; the reader may be gone by then. */
const write = (response: ServerResponse, bytes: Buffer) =>
  new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.write(bytes, () => {
      response.off('close', resolve)
      resolve()
    })
  })
