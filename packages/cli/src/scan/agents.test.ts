import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeOpencode } from '../../../transcripts/test/databases.js'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { claudeLines, honestRun, stuckRun, writeRun } from '../../test/transcripts.js'
import type { ScanReport } from './run-report.js'

describe('--agent', () => {
  it('is the program in whose place a transcript was, also where another can read it', async () => {
    const home = emptyFolder()
    const path = join(home, '.local/share/kilo/kilo.db')
    mkdirSync(dirname(path), { recursive: true })
    writeOpencode(path)
    const env = { HOME: home }
    const args = ['scan', '--agent', 'kilo-code', '--format', 'json']
    const { runs } = JSON.parse((await unloop(args, { cwd: home, env })).stdout) as ScanReport
    expect(runs.length).toBeGreaterThan(0)
    expect(new Set(runs.map(({ program }) => program))).toEqual(new Set(['kilo-code']))
  })

  it('refuses a name that is neither known nor in what was read', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', claudeLines(9))
    writeRun(cwd, 'b.jsonl', [{ id: '1', source: 'my-agent', events: stuckRun() }])
    const scan = (agent: string) => unloop(['scan', '.', '--agent', agent], { cwd })
    const { code, stdout, stderr } = await scan('clade-code')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--agent does not know clade-code; did you mean claude-code?')
    expect((await scan('my-agnt')).stderr).toContain('did you mean my-agent?')
    expect((await scan('my-agent')).code).toBe(1)
    expect((await scan('claude-code')).code).toBe(1)
    expect((await scan('codex')).code).toBe(0)
  })

  it('leaves out the others of a folder in tune too', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', claudeLines(20))
    writeRun(cwd, 'b.jsonl', honestRun())
    const tune = (agent: string) => unloop(['tune', '.', '--json', '--agent', agent], { cwd })
    const flagged = jsonLines((await tune('event-lines')).stdout).filter((one) => one.flagged > 0)
    expect(flagged).toEqual([])
    expect((await tune('claude-code')).stdout).toContain('"flagged":1')
    expect((await tune('codex')).code).toBe(2)
  })
})
