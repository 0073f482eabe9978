import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import {
  claudeLines,
  honestRun,
  START,
  stuckRun,
  toLines,
  writeRun,
} from '../../test/transcripts.js'

const EVIL = 'a|b <img src=x> [x](http://y) `c` @team %0A\n::error::owned\r::stop-commands::x'

/** Scans for GitHub, and gives what would be shown there. */
async function onGithub(cwd: string, ...args: string[]) {
  const summary = join(cwd, 'summary.md')
  writeFileSync(summary, 'before\n')
  const env = { GITHUB_STEP_SUMMARY: summary }
  const result = await unloop(['scan', 'logs', '--format', 'github', ...args], { cwd, env })
  return { ...result, summary: readFileSync(summary, 'utf8') }
}

function folder(): string {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'logs'))
  return cwd
}

describe('--format github', () => {
  it('prints annotations, and adds to the summary of the step', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'logs/s1.jsonl'), toLines(claudeLines(12)))
    appendFileSync(join(cwd, 'logs/s1.jsonl'), '{"type":\n')
    const { code, stdout, summary } = await onGithub(cwd)
    expect(code).toBe(1)
    const path = join(cwd, 'logs/s1.jsonl')
    const [error = '', warning = ''] = stdout.split('\n')
    expect(error).toContain(`::error file=${path},line=`)
    expect(error).toContain(',title=claude-code is stuck%3A repeated-call::')
    expect(warning).toContain(`::warning file=${path},title=`)
    expect(summary).toMatch(/^before\n### unloop: 1 stuck run in 1 run\n\n\| agent \|/)
    expect(summary).toContain('1 file could not be read in full')
  })

  it('prints nothing where there is nothing to say', async () => {
    const cwd = folder()
    writeRun(cwd, 'logs/a.jsonl', honestRun())
    const { stdout } = await unloop(['scan', 'logs', '--format', 'github'], { cwd })
    expect(stdout).toBe('')
  })

  it('shows the worst ten of many, and says which are known', async () => {
    const cwd = folder()
    for (let n = 0; n < 15; n++) {
      writeRun(cwd, `logs/${n}.jsonl`, stuckRun(12 + n, START + n * 1e8))
    }
    const { stdout } = await onGithub(cwd)
    expect(stdout.match(/^::error /gm)).toHaveLength(10)
    expect(stdout.split('\n')[0]).toContain('logs/14.jsonl')
    await unloop(['scan', 'logs', '--write-baseline', 'known.json'], { cwd })
    const known = await onGithub(cwd, '--baseline', 'known.json')
    expect(known.code).toBe(0)
    expect(known.stdout).not.toContain('::error')
    expect(known.summary).toContain('no new loops in 15 runs')
    expect(known.summary).toContain('15 loops in the baseline.')
  })

  it('obeys nothing that a transcript says', async () => {
    const cwd = folder()
    const evil = JSON.stringify(EVIL).slice(1, -1)
    const lines = toLines(claudeLines(12))
      .replaceAll('"Read"', `"Read ${evil}"`)
      .replaceAll('/home/ada/app', evil)
      .replaceAll('a.ts', evil)
    writeFileSync(join(cwd, 'logs/a,b:c\n::error::owned.jsonl'), lines)
    const { stdout, summary } = await onGithub(cwd)
    expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(1)
    expect(stdout).toContain('a%2Cb%3Ac%0A%3A%3Aerror%3A%3Aowned.jsonl')
    expect(stdout).toContain('%250A')
    const [, , , , , row = ''] = summary.split('\n')
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(8)
    expect(summary).not.toMatch(/<img|\]\(|@team|`c`/)
  })

  it('says so if the summary cannot be written', async () => {
    const cwd = folder()
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'no/such/folder') }
    const { code, stderr } = await unloop(['scan', 'logs', '--format', 'github'], { cwd, env })
    expect(code).toBe(2)
    expect(stderr).toContain('cannot write GITHUB_STEP_SUMMARY')
  })
})
