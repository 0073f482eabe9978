import { type Door, playRecorded, recordedRequests } from '@unloop/testing'
import { expect, test } from 'vitest'
import { startGateway } from '../src/index.js'

/** Cases whose verdicts are not the expected ones yet: what becomes of their requests instead. A case that is mended leaves this list. */
const KNOWN_DIFFERENCES: Record<'gateway', Record<string, string>> = {
  gateway: {
    'gemini-other-pictures': 'ended',
  },
}

/** A gateway that has just started, before a provider that speaks all protocols. */
async function open(url: string) {
  const gateway = await startGateway({
    listen: { port: 0 },
    upstreams: { openai: { url }, anthropic: { url }, gemini: { url } },
    limits: { drainMs: 1 },
  })
  return {
    send: async ({ method, path, headers, body }: Parameters<Door['send']>[0]) => {
      const init = { method, headers: { ...headers, ...KEY }, body: JSON.stringify(body) }
      return (await fetch(gateway.url + path, init)).text()
    },
    close: () => gateway.close(),
  }
}

const KEY = { authorization: 'Bearer none' }

test.each(recordedRequests().map((one) => [one.name, one] as const))('%s', async (_, recorded) => {
  const difference = await playRecorded(recorded, open)
  expect(difference, recorded.why).toBe(KNOWN_DIFFERENCES.gateway[recorded.name])
})
