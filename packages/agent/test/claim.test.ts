import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claim, claimedBy, requestClaim } from '../src/claim.js'
import { processMark } from '../src/process-start.js'

const children: ChildProcess[] = []
let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-claim-'))
  lock = join(folder, 'chat.lock')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** A process that claims what it is told to, and says what came of it. */
async function startChild() {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('claim-child.mjs', import.meta.url)),
  ])
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    pid: child.pid ?? 0,
    async claim(path: string): Promise<string> {
      child.stdin.write(`${path}\n`)
      return (await lines.next()).value
    },
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function claimed(path = lock) {
  const result = claim(path)
  if (result.type !== 'held') throw new Error(`taken by ${result.pid}`)
  return result.claim
}

describe('a claim', () => {
  it('keeps out every other, also of the same process, until it is released', () => {
    const first = claimed()
    expect(claim(lock)).toEqual({ type: 'taken', pid: process.pid })
    expect(claimedBy(lock)).toBe(process.pid)
    first.release()
    expect(claimedBy(lock)).toBeUndefined()
    const second = claimed()
    first.release()
    expect(claim(lock).type).toBe('taken')
    second.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('of a process that was killed is free at once', async () => {
    const child = await startChild()
    expect(await child.claim(lock)).toBe('held')
    expect(claim(lock)).toEqual({ type: 'taken', pid: child.pid })
    await child.kill()
    expect(claimedBy(lock)).toBeUndefined()
    claimed().release()
  })

  it.each([
    ['without a process', () => ''],
    ['that is damaged', () => '{"pid":'],
    ['of no process', () => '0'],
    ['of a process that never was', () => '4194305'],
    ['of an older version', () => `${process.ppid}`],
    ['of an older version with this number', () => `${process.pid}`],
    ['without a mark', () => JSON.stringify({ pid: process.ppid })],
    ['with the mark of another', () => JSON.stringify({ pid: process.ppid, mark: 'boot 1' })],
    ['with this number and another mark', () => JSON.stringify({ pid: process.pid, mark: 'b 1' })],
  ])('is free if its process is gone, whoever has the number now: a lock %s', (_, toText) => {
    writeFileSync(lock, toText())
    // those processes began after the machine was built
    utimesSync(lock, 1, 1)
    claimed().release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is kept while its process lives, however old the lock is', () => {
    const pid = process.ppid
    writeFileSync(lock, JSON.stringify({ pid, mark: processMark(pid) }))
    utimesSync(lock, 1, 1)
    expect(claim(lock)).toEqual({ type: 'taken', pid })
  })

  it.each([
    ['that is free', undefined],
    ['whose process is gone', JSON.stringify({ pid: 4194305, mark: 'boot 1', id: 'x' })],
    ['of an older version whose process is gone', '4194305'],
    ['that is empty', ''],
  ])('goes to one of several processes that want in the same moment a lock %s', async (_, text) => {
    const rivals = await Promise.all(Array.from({ length: 4 }, startChild))
    for (let round = 0; round < 25; round++) {
      const path = `${lock}-${round}`
      if (text !== undefined) writeFileSync(path, text)
      const results = await Promise.all(rivals.map((rival) => rival.claim(path)))
      expect(results.sort()).toEqual(['held', 'taken', 'taken', 'taken'])
    }
  })

  it('is taken over although a process was killed while it took it over', async () => {
    const child = await startChild()
    const text = '4194305'
    writeFileSync(lock, text)
    const turn = `${lock}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
    expect(await child.claim(turn)).toBe('held')
    expect(claim(lock).type).toBe('taken')
    await child.kill()
    claimed().release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a request', () => {
  it('is heard by the one who has the claim, who hands it over, with no moment between', () => {
    const first = claimed()
    expect(first.isRequested()).toBe(false)
    const request = requestClaim(lock)
    expect(request.granted()).toBeUndefined()
    expect(first.isRequested()).toBe(true)
    expect(first.handOver()).toBe(true)
    const second = request.granted()
    expect(second).toBeDefined()
    // it is no longer its own to release
    first.release()
    expect(claim(lock).type).toBe('taken')
    second?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('that was withdrawn is granted to nobody', () => {
    const first = claimed()
    const request = requestClaim(lock)
    request.cancel()
    expect(first.isRequested()).toBe(false)
    expect(first.handOver()).toBe(false)
    expect(claim(lock).type).toBe('taken')
    first.release()
  })

  it('that is withdrawn too late gives back what it was granted', () => {
    const first = claimed()
    const request = requestClaim(lock)
    first.handOver()
    request.cancel()
    expect(existsSync(lock)).toBe(false)
  })

  it('of a process that is gone is not heard', () => {
    const first = claimed()
    writeFileSync(`${lock}.request`, '4194305')
    expect(first.isRequested()).toBe(false)
    first.release()
  })
})
