import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { stuckRun, writeConversation, writeRun } from '../../test/transcripts.js'
import { FORMATS } from './to-format.js'

/** A run that is stuck with these arguments. */
const stuckWith = (args: object): AgentEvent[] =>
  stuckRun().map((event) => (event.type === 'tool-call' ? { ...event, args } : event))

describe('what a report quotes', () => {
  it.each(FORMATS)('has no half of a secret where it was cut, as %s', async (format) => {
    const cwd = emptyFolder()
    const long = 'hunter'.repeat(20)
    for (let n = 0; n < 220; n += 20) {
      const before = 'z'.repeat(n)
      writeRun(cwd, `${n}-url.jsonl`, stuckWith({ c: `${before} postgres://ada:${long}@db/x` }))
      writeRun(cwd, `${n}-mail.jsonl`, stuckWith({ c: `${before} ada.hunter@example.company.org` }))
    }
    // so much is taken out that what was cut off for good is near
    const keys = Array.from({ length: 10 }, (_, n) => `password=${`${n}`.repeat(77)}`).join(' ')
    for (let n = 0; n < 100; n += 10) {
      const text = `${keys} ${'z'.repeat(n)} ada.hunter@${'example.'.repeat(12)}org`
      writeRun(cwd, `${n}-far.jsonl`, stuckWith({ c: text }))
    }
    const { code, stdout } = await unloop(['scan', '.', '--format', format], { cwd })
    expect(code).toBe(1)
    expect(stdout).not.toContain('hunter')
  })

  it('names no home folder in a report for the browser, nor what a bad line said', async () => {
    const home = emptyFolder()
    const cwd = join(home, 'w')
    const path = writeRun(cwd, '.claude/projects/x/a.jsonl', stuckRun())
    appendFileSync(path, 'hunter22secret\n')
    writeConversation(join(cwd, 'conv'), 9)
    writeRun(cwd, 'empty.jsonl', [])
    const env = { HOME: home }
    const { stdout } = await unloop(['scan', '.', 'conv', '--format', 'html'], { cwd, env })
    expect(stdout).toContain('event-00001')
    expect(stdout).toContain('is empty')
    expect(stdout).not.toContain(home)
    const json = await unloop(['scan', '.', '--format', 'json'], { cwd, env })
    expect(json.stdout).toContain('"reason": "not JSON')
    expect(json.stdout).not.toContain('hunter22')
    const raw = await unloop(['scan', '.', '--format', 'json', '--show-raw'], { cwd, env })
    expect(raw.stdout).toContain('hunter22')
  })
})
