import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROMPT, startFlood as start } from './acp-flood.js'

/** What comes out, without our own lines. */
async function flood(isGuarded: boolean) {
  const child = start(isGuarded, ['flood', '100'])
  const hash = createHash('sha256')
  let size = 0
  let rest: Buffer = Buffer.alloc(0)
  child.stdout?.on('data', (chunk: Buffer) => {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10) + 1
    rest = bytes.subarray(end)
    const whole = bytes.subarray(0, end)
    const theirs = whole.includes('unloop')
      ? Buffer.from(
          whole
            .toString('utf8')
            .split(/(?<=\n)/)
            .filter((line) => !line.includes('unloop'))
            .join(''),
        )
      : whole
    hash.update(theirs)
    size += theirs.length
  })
  child.stdin?.write(PROMPT)
  const [code] = await once(child, 'close')
  return { code, size, hash: hash.digest('hex') }
}

test('100 MB of updates pass byte for byte', async () => {
  const [direct, guarded] = [await flood(false), await flood(true)]
  expect(direct.size).toBeGreaterThan(100e6)
  expect(guarded).toEqual(direct)
})

test('an editor that does not read is still heard, and costs no memory', async () => {
  const child = start(true, ['heard', '1000'])
  const told = once(child.stderr as NodeJS.ReadableStream, 'data')
  child.stdin?.write(PROMPT)
  // the pipe is full from here on
  await once(child.stdout as NodeJS.ReadableStream, 'readable')
  for (let line = 0; line < 200; line++) child.stdin?.write(`${'y'.repeat(9999)}\n`)
  expect(String(await told)).toContain('heard')
  const [, kilobytes] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  expect(Number(kilobytes)).toBeLessThan(250_000)
  child.stdin?.on('error', () => {})
  child.kill('SIGKILL')
  await once(child, 'close')
})
