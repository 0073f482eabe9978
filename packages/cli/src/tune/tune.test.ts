import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { honestRun, START, stuckRun, writeRun } from '../../test/transcripts.js'

/** One run stuck to its end, and one that asked four times, saw the same, and then finished well. */
function history() {
  const cwd = emptyFolder()
  writeRun(cwd, 'runs/stuck.jsonl', stuckRun(20))
  writeRun(cwd, 'runs/fine.jsonl', [...stuckRun(4), ...honestRun(START + 1e6)])
  return cwd
}

const tune = (cwd: string, ...args: string[]) =>
  unloop(['tune', 'runs', ...args], { cwd, env: { HOME: cwd } })

describe('unloop tune', () => {
  it('shows what each limit would have done, advice and stops apart', async () => {
    const { code, stdout } = await tune(history(), '--json')
    expect(code).toBe(0)
    const own = (option: string) =>
      jsonLines(stdout)
        .filter((one) => one.detector === 'repeated-call' && one.option === option)
        .map((one) => [one.value, one.flagged, one.finished, one.stopped, one.stoppedFinished])
    expect(own('likely')).toEqual([
      [2, 2, 1, 1, 0],
      [3, 2, 1, 1, 0],
      [5, 1, 0, 1, 0],
      [6, 1, 0, 1, 0],
      [9, 1, 0, 1, 0],
    ])
    expect(own('limit')).toEqual([
      [2, 2, 1, 2, 1],
      [3, 2, 1, 1, 0],
      [4, 2, 1, 1, 0],
      [6, 2, 1, 1, 0],
      [8, 2, 1, 1, 0],
      [12, 2, 1, 1, 0],
    ])
    const saved = jsonLines(stdout)
      .filter(({ detector, option }) => detector === 'repeated-call' && option === 'likely')
      .map((one) => one.saved.tokens)
    expect(saved).toEqual([...saved].sort((a, b) => b - a))
    expect(saved.at(-1)).toBeGreaterThan(0)
  })

  it('suggests later advice where much of it was not needed, and takes the stop along', async () => {
    const { stdout } = await tune(history(), '--json')
    const suggested = jsonLines(stdout).filter(
      ({ isSuggested, isDefault }) => isSuggested && !isDefault,
    )
    expect(suggested.map(({ detector, option, value }) => [detector, option, value])).toEqual([
      ['repeated-call', 'likely', 5],
    ])
    const { stderr } = await tune(history(), '--write')
    expect(stderr).toContain('repeated-call.likely = 5, repeated-call.limit = 6')
  })

  it('suggests a later stop where a run that ended well would have been stopped', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'runs/fine.jsonl', [...stuckRun(7), ...honestRun(START + 1e6)])
    for (let n = 0; n < 60; n++) writeRun(cwd, `runs/${n}.jsonl`, honestRun())
    const { stdout } = await tune(cwd, '--json')
    const suggested = jsonLines(stdout).filter((one) => one.isSuggested && !one.isDefault)
    // one run in 61 may be advised for nothing, but not stopped
    expect(suggested.map(({ detector, option }) => `${detector}.${option}`)).toEqual([
      'repeated-call.limit',
    ])
  })

  it('prints a table and writes nothing unless asked', async () => {
    const cwd = history()
    const { stdout } = await tune(cwd)
    expect(stdout).toMatch(/all together +2 +1 +1 +0/)
    expect(stdout).toMatch(/repeated-call\.limit +2 +2 +1 +2 +1/)
    expect(stdout).toMatch(/No run came close to these.*failing\.limit/)
    expect(stdout).toContain('2 runs replayed: 1 limit could be changed')
    expect(() => readFileSync(join(cwd, 'unloop.config.json'))).toThrow('ENOENT')
  })

  it('writes a configuration that the other commands read, and keeps what is in it', async () => {
    const cwd = history()
    const path = join(cwd, 'unloop.config.json')
    writeFileSync(path, JSON.stringify({ model: 'embedded', detectors: { 'call-flood': false } }))
    const { stderr } = await tune(cwd, '--write', '--set', 'failing=9')
    expect(stderr).toContain('failing.limit = 9')
    const { model, detectors } = JSON.parse(readFileSync(path, 'utf8'))
    expect([model, detectors['call-flood'], detectors.failing]).toEqual([
      'embedded',
      false,
      { limit: 9 },
    ])
    const scan = await unloop(['scan', 'runs/fine.jsonl'], { cwd, env: { HOME: cwd } })
    expect(scan.code).toBe(0)
  })

  it('shows and writes the limits for a kind of agents', async () => {
    const cwd = history()
    const { stdout } = await tune(cwd, '--for', 'browser')
    expect(stdout).toMatch(/all together +2 +1 +1 +0/)
    expect(stdout).toMatch(/for browser +1 +0 +1 +0/)
    expect(stdout).toContain('repeated-call.limit = 8')
    const { stderr } = await tune(cwd, '--for', 'browser', '--set', 'repeated-call=9', '--write')
    expect(stderr).toContain('repeated-call.limit = 9')
    expect(stderr).not.toContain('repeated-call.limit = 8')
  })

  it('leaves the order and what is off as they are', async () => {
    const cwd = history()
    const path = join(cwd, 'unloop.config.json')
    const before = { model: 'embedded', detectors: { 'repeated-call': false }, $schema: 'x' }
    writeFileSync(path, `\ufeff${JSON.stringify(before)}`)
    const { stdout, stderr } = await tune(cwd, '--write')
    expect(stdout).not.toContain('repeated-call')
    expect(stderr).toContain('Nothing to write.')
    await tune(cwd, '--write', '--set', 'failing=9')
    const after = JSON.parse(readFileSync(path, 'utf8'))
    expect(Object.keys(after)).toEqual(['model', 'detectors', '$schema'])
    expect(after.detectors).toEqual({ 'repeated-call': false, failing: { limit: 9 } })
  })

  it('knows the tools of the configuration', async () => {
    const cwd = history()
    const path = join(cwd, 'unloop.config.json')
    writeFileSync(path, JSON.stringify({ tools: { read: { allow: 'always' } } }))
    const { stdout } = await tune(cwd, '--json')
    expect(jsonLines(stdout).filter(({ flagged }) => flagged > 0)).toEqual([])
  })

  it('has not saved the work between two times of a loop', async () => {
    const cwd = emptyFolder()
    const hour = 3_600_000
    const work = Array.from({ length: 50 }, (_, n) => ({
      type: 'usage',
      inputTokens: 1000,
      at: START + hour + n,
    }))
    writeRun(cwd, 'runs/a.jsonl', [...stuckRun(8), ...work, ...stuckRun(8, START + 2 * hour)])
    const { stdout } = await tune(cwd, '--json')
    const usual = jsonLines(stdout).find((one) => one.detector === 'repeated-call' && one.isDefault)
    expect(usual.saved.tokens).toBe(10_000)
  })

  it.each([
    ['{ bad', 'cannot be read'],
    ['{"nothing": 1}', 'nothing is not known'],
    ['[]', 'takes an object'],
  ])('does not touch a configuration that says %s', async (text, message) => {
    const cwd = history()
    const path = join(cwd, 'other.json')
    writeFileSync(path, text)
    const { code, stdout, stderr } = await tune(cwd, '--write', 'other.json')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('says so when cannot write the configuration', async () => {
    const { code, stderr } = await tune(history(), '--write', 'none/x.json')
    expect(code).toBe(2)
    expect(stderr).toContain('cannot write the configuration')
  })

  it.each([
    [['--set', 'failing=3'], '--set needs --write'],
    [['--write', 'config.ts'], 'is not JSON'],
    [['--set', 'nothing=3'], '--set takes'],
    [['--set', 'failing'], '--set takes'],
    [['--for', 'nobody'], '--for takes one of unattended'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await tune(history(), ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('says so when there is nothing to replay', async () => {
    const { code, stderr } = await unloop(['tune'], { cwd: emptyFolder() })
    expect(code).toBe(2)
    expect(stderr).toContain('nothing to replay')
  })
})
