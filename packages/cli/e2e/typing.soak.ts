import { expect, it } from 'vitest'
import { openPty } from './pty.js'
import { APPROVAL, isRestored, LOOP, typeAtRandom } from './typing.js'

const SEQUENCES = 10_000

it('survives whatever is typed, and gives the terminal back', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`seed ${seed}`)
  const pty = openPty()
  await pty.until(/guard enforce.* · \/help/)
  const reached = await typeAtRandom(pty, SEQUENCES, seed)
  expect([...reached]).toEqual(expect.arrayContaining([LOOP, APPROVAL]))
  pty.write('\x03\x03')
  expect(await pty.left).toBe(0)
  expect(isRestored(pty)).toBe(true)
})
