import { isDeepStrictEqual } from 'node:util'
import { startProvider } from './provider.js'
import type { RecordedCase, RecordedRequest, RecordedVerdict } from './recorded-requests.js'

/** Something that guards requests on their way to a provider. */
export interface Door {
  /** Sends a request as its client did, and reads the answer to its end. */
  send(request: RecordedRequest): Promise<unknown>
  close?(): Promise<void>
}

/** What became of a request. */
type Outcome = Exclude<RecordedVerdict, 'held'>

/**
 * Sends the requests of a case through a door that knows nothing yet, to a provider whose model says what it said then.
 *
 * @returns nothing if each request got its verdict, otherwise what became of each that has one
 */
export async function playRecorded(
  { requests }: RecordedCase,
  open: (providerUrl: string) => Promise<Door>,
): Promise<string | undefined> {
  let current: RecordedRequest | undefined
  const provider = await startProvider(() => current?.answer ?? { status: 400 })
  const door = await open(provider.url)
  const outcomes: Outcome[] = []
  try {
    for (const request of requests) {
      current = request
      const before = provider.exchanges.length
      await door.send(request)
      const body = provider.exchanges[before]?.body
      if (body === undefined) outcomes.push('ended')
      else outcomes.push(isDeepStrictEqual(body, request.body) ? 'go' : 'told')
    }
  } finally {
    await door.close?.()
    await provider.close()
  }
  const isRight = requests.every(({ verdict }, at) => isVerdict(outcomes[at], verdict))
  return isRight ? undefined : outcomes.map((one, at) => requests[at]?.verdict && one).join(' ')
}

const isVerdict = (outcome: Outcome | undefined, verdict: RecordedVerdict | undefined): boolean =>
  verdict === undefined || outcome === verdict || (verdict === 'held' && outcome !== 'go')
