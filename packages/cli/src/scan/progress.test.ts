import { statSync } from 'node:fs'
import { listPrices } from 'unloop/prices'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder } from '../../test/host.js'
import { stuckRun, writeRun } from '../../test/transcripts.js'
import { toOutput } from '../host.js'
import { createProgress } from './progress.js'
import { scanTranscript } from './scan-transcript.js'

describe('progress', () => {
  it('moves within a large file, with rate and time left', () => {
    const { host, stderr } = createHost([], { isTerminal: true })
    let now = 0
    const files = [
      { path: 'a', bytes: 10e6 },
      { path: 'b', bytes: 30e6 },
    ]
    const progress = createProgress(toOutput(host.stderr, host.env), files, () => now)
    const last = () => stderr().split('\r\x1b[K').at(-1)
    now = 1000
    progress.reach('b', 10e6)
    expect(last()).toMatch(/^█{6}░{18} 0 of 2 files, 10 MB\/s, 3 s left, 0 stuck$/)
    now = 2000
    progress.reach('b', 20e6)
    expect(last()).toMatch(/^█{12}░{12} 0 of 2 files, 10 MB\/s, 2 s left/)
    now = 3000
    // what is unpacked is longer than the file
    progress.reach('b', 99e6)
    expect(last()).toMatch(/^█{18}░{6} 0 of 2 files/)
    now = 4000
    progress.done('b')
    expect(last()).toMatch(/^█{18}░{6} 1 of 2 files/)
    now = 5000
    progress.done('a')
    expect(last()).toMatch(/^█{24} 2 of 2 files/)
  })

  it('is told as a file is read', async () => {
    const events = Array.from({ length: 400 }, (_, n) => stuckRun(12, n * 1e6)).flat()
    const path = writeRun(emptyFolder(), 'a.jsonl', events)
    const reached: number[] = []
    const onProgress = (bytes: number) => reached.push(bytes)
    await scanTranscript(path, { guard: {}, prices: listPrices, onProgress }, () => {})
    expect(reached.length).toBeGreaterThan(2)
    expect(reached).toEqual([...reached].sort((a, b) => a - b))
    expect(reached.at(-1)).toBeLessThanOrEqual(statSync(path).size)
    expect(reached.at(-1)).toBeGreaterThan(0.9 * statSync(path).size)
  })
})
