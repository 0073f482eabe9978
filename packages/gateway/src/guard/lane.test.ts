import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { PLAIN_SECRET_EXAMPLES, SECRET_EXAMPLES } from '@unloop/testing/secrets'
import { describe, expect, it } from 'vitest'
import { freezeLane, startLane, thawLane } from './lane.js'
import type { ModelRequest } from './read-request.js'

const KEY = createHash('sha256').update('sk-of-the-sender').digest('hex')
const OTHER = createHash('sha256').update('sk-of-another').digest('hex')
const ID = 'session'

const startEmpty = () =>
  startLane(ID, { history: [], persona: '', last: undefined } as unknown as ModelRequest, {})

/** A lane whose model said this, in its last answer. */
async function laneThatSaid(text: string) {
  const lane = await startEmpty()
  lane.run.decide({ type: 'prompt', text: 'What is it?' })
  lane.run.decide({ type: 'turn-start' })
  lane.run.decide({ type: 'reasoning', text })
  lane.run.decide({ type: 'text', text })
  lane.run.decide({ type: 'tool-call', id: 'call_1', name: 'note', args: { text } })
  lane.run.decide({ type: 'tool-result', id: 'call_1', output: text })
  return lane
}

describe('a lane that leaves the process', () => {
  it('has nothing that its model said, packed or unpacked', async () => {
    for (const { name, text, secret } of [...SECRET_EXAMPLES, ...PLAIN_SECRET_EXAMPLES]) {
      const lane = await laneThatSaid(`The admin password is "tulip-9-Fenster". ${text}`)
      const frozen = freezeLane(lane, KEY)
      const bytes = Buffer.from(frozen, 'base64')
      const stored = [frozen, bytes.toString('latin1'), inflated(bytes)].join('\n')
      for (const part of [secret, 'tulip', 'password', 'snapshot'])
        expect([name, stored.includes(part)]).toEqual([name, false])
    }
  })

  it('is the same lane for its sender', async () => {
    const lane = await laneThatSaid('The words of the model, to the last letter.')
    const frozen = freezeLane(lane, KEY)
    const again = thawLane({ id: ID, key: KEY }, frozen, 3, {})
    expect(again.guard.snapshot()).toEqual(lane.guard.snapshot())
    expect(again.version).toBe(3)
    expect(freezeLane(lane, KEY)).not.toBe(frozen)
  })

  it('is nothing for another sender, in another session, or when a byte is different', async () => {
    const frozen = freezeLane(await laneThatSaid('words'), KEY)
    const bytes = Buffer.from(frozen, 'base64')
    bytes[40] = (bytes[40] ?? 0) ^ 1
    for (const [id, key, text] of [
      [ID, OTHER, frozen],
      ['another session', KEY, frozen],
      [ID, KEY, bytes.toString('base64')],
      [ID, KEY, frozen.slice(0, 60)],
      [ID, KEY, ''],
    ] as const)
      expect(() => thawLane({ id, key }, text, 1, {})).toThrow()
  })
})

/** What comes out when somebody unpacks it, from its start and from behind a nonce and a tag. */
function inflated(bytes: Buffer): string {
  let all = ''
  for (const from of [0, 12, 16, 28])
    try {
      all += inflateRawSync(bytes.subarray(from), { maxOutputLength: 2 ** 22 }).toString('latin1')
    } catch {}
  return all
}
