// What models and tools do in the recorded runs.
import { deflateSync } from 'node:zlib'
import type { Model } from './tape.js'

export const PROMPT = 'Find out why the shop does not start'
export const MISSING = 'cat: nothing.txt: No such file or directory'

/** A model that makes these calls, one turn each, and then says that it is done. */
export const calling =
  (turns: number, commandsOf: (turn: number) => string | readonly string[]): Model =>
  ({ turn, toCall }) =>
    turn < turns ? { calls: [commandsOf(turn)].flat().map(toCall) } : { text: 'Done.' }

/** A model that makes these calls, a round in each turn; it says that it is done where there is nothing, and at the end. */
export function following(rounds: readonly (string | readonly string[])[]): Model {
  const left = [...rounds]
  return ({ toCall }) => {
    const commands = [left.shift() ?? []].flat()
    return commands.length > 0 ? { calls: commands.map(toCall) } : { text: 'Done.' }
  }
}

/** A model that only talks. */
export const talking =
  (turns: number, textOf: (turn: number) => string): Model =>
  ({ turn }) => ({ text: turn < turns ? textOf(turn) : 'Done.' })

const NAMES = [
  ...['config', 'settings', 'options', 'defaults', 'values', 'params', 'env', 'secrets', 'flags'],
  ...['features', 'routes', 'users', 'orders', 'prices', 'stock', 'mail', 'queue', 'cache', 'logs'],
  ...['metrics', 'alerts', 'themes', 'fonts', 'icons'],
]

export const nameAt = (at: number): string => NAMES[at % NAMES.length] ?? ''

/** What a build says of itself, something else each time. */
export const stageAt = (at: number): string => STAGES[at % STAGES.length] ?? ''

const STAGES = [
  'fetching the packages',
  'packages are there, compiling the basket',
  'basket compiled, compiling the checkout',
  'checkout compiled, compiling the search',
  'search compiled, linking',
  'linked, running the fast tests',
  'fast tests passed, running the slow tests',
  'slow tests passed, making the pictures smaller',
  'pictures are smaller, writing the manifest',
  'manifest written, packing',
  'packed, uploading to staging',
  'uploaded, waiting for the health check',
  'staging is healthy, switching over',
  'switched over, removing the old version',
  'old version removed, sending the mail',
  'mail sent, the build is done',
]

/** A test whose failure moves on with each change. */
export const failureAt = (at: number): string =>
  [
    'FAIL basket.test: expected 3 items, got none',
    'FAIL basket.test: the price has no currency',
    'FAIL checkout.test: no address was given',
    'FAIL checkout.test: the address has no country',
    'FAIL search.test: the index is empty',
    'FAIL mail.test: the template is missing',
    'ok, all tests passed',
  ][at] ?? 'ok, all tests passed'

/** A picture of one pixel, of another color for each number. */
export function pictureAt(at: number): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const pixel = Buffer.from([0, (at * 37) % 256, (at * 91) % 256, (at * 151) % 256])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixel)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

// Node 20 has none
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
