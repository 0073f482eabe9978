import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { processMark, processStart } from './process-start.js'

describe('the start of a process', () => {
  it.each(['linux', 'darwin'] as const)('is when it began, as asked on %s', (platform) => {
    const start = processStart(process.pid, platform) ?? 0
    expect(Math.abs(start - performance.timeOrigin)).toBeLessThan(3000)
  })

  it('is not known of one that does not exist', () => {
    expect(processStart(4194305)).toBeUndefined()
    expect(processStart(4194305, 'darwin')).toBeUndefined()
    expect(processMark(4194305)).toBeUndefined()
  })

  it('has a mark that no other process has', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    await once(child, 'spawn')
    expect(processMark(child.pid ?? 0)).toBeDefined()
    expect(processMark(child.pid ?? 0)).not.toBe(processMark(process.pid))
    expect(processMark(process.pid)).toBe(processMark(process.pid))
    child.kill()
  })
})
