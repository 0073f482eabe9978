import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { claudeLines, START, stuckRun, toLines, writeRun } from '../../test/transcripts.js'

/** A folder with a session of Claude Code and a file of events, both stuck. */
function stuckFolder(): string {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'logs'))
  writeFileSync(join(cwd, 'logs/s1.jsonl'), toLines(claudeLines(12)))
  writeRun(cwd, 'logs/deep/run.jsonl', stuckRun())
  return cwd
}

async function fingerprintsOf(cwd: string, paths: string[], env = {}): Promise<string[]> {
  const { stdout } = await unloop(['scan', ...paths, '--format', 'jsonl'], { cwd, env })
  return jsonLines(stdout)
    .map(({ loop }) => loop.fingerprint)
    .sort()
}

describe('a fingerprint', () => {
  it('is another for each loop', async () => {
    const all = await fingerprintsOf(stuckFolder(), ['logs'])
    expect(all).toHaveLength(2)
    expect(new Set(all).size).toBe(2)
    for (const one of all) expect(one).toMatch(/^[0-9a-f]{24}$/)
  })

  it('is the same on another machine, in another home folder, without quotes masked', async () => {
    const first = stuckFolder()
    const second = stuckFolder()
    const known = await fingerprintsOf(first, ['logs'])
    expect(await fingerprintsOf(second, ['logs'], { HOME: '/home/ada' })).toEqual(known)
    expect(await fingerprintsOf(second, [join(second, 'logs')])).toEqual(known)
    const raw = await unloop(['scan', 'logs', '--format', 'jsonl', '--show-raw'], { cwd: first })
    expect(jsonLines(raw.stdout).map(({ loop }) => loop.fingerprint)).toEqual(
      expect.arrayContaining(known),
    )
  })

  it('is the same when the file has grown, and for a session when it has moved', async () => {
    const cwd = stuckFolder()
    const known = await fingerprintsOf(cwd, ['logs'])
    appendFileSync(join(cwd, 'logs/s1.jsonl'), toLines(claudeLines(5, 12)))
    expect(await fingerprintsOf(cwd, ['logs'])).toEqual(known)
    mkdirSync(join(cwd, 'other'))
    copyFileSync(join(cwd, 'logs/s1.jsonl'), join(cwd, 'other/renamed.jsonl'))
    const [moved] = await fingerprintsOf(cwd, ['other'])
    expect(known).toContain(moved)
  })

  it('stands in SARIF', async () => {
    const cwd = stuckFolder()
    const { stdout } = await unloop(['scan', 'logs', '--format', 'sarif'], { cwd })
    const log: Log = JSON.parse(stdout)
    const found = log.runs[0]?.results?.map((one) => one.partialFingerprints?.['unloop/v2'])
    expect(found?.sort()).toEqual(await fingerprintsOf(cwd, ['logs']))
  })
})

describe('a baseline', () => {
  it('makes known loops pass, and new ones fail', async () => {
    const cwd = stuckFolder()
    const written = await unloop(['scan', 'logs', '--write-baseline', 'known.json'], { cwd })
    expect(written.code).toBe(0)
    expect(written.stderr).toContain(`Written to ${join(cwd, 'known.json')}`)
    const again = await unloop(['scan', 'logs', '--baseline', 'known.json'], { cwd })
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('known')
    const junit = await unloop(['scan', 'logs', '--baseline', 'known.json', '--format', 'junit'], {
      cwd,
    })
    expect(junit.stdout).toContain('failures="0"')
    expect(junit.stdout).toContain('known: repeated-call')
    writeRun(cwd, 'logs/new.jsonl', stuckRun(12, START + 1e9))
    const more = await unloop(['scan', 'logs', '--baseline', 'known.json', '--format', 'sarif'], {
      cwd,
    })
    expect(more.code).toBe(1)
    const results = (JSON.parse(more.stdout) as Log).runs[0]?.results ?? []
    expect(results.map(({ suppressions }) => suppressions?.length ?? 0).sort()).toEqual([0, 1, 1])
  })

  it('is the same file again, has a line for each loop, and quotes nothing', async () => {
    const cwd = stuckFolder()
    await unloop(['scan', 'logs', '--write-baseline', 'a.json'], { cwd })
    const text = readFileSync(join(cwd, 'a.json'), 'utf8')
    const { loops } = JSON.parse(text)
    expect(loops.map((loop: object) => Object.keys(loop))).toEqual([
      ['fingerprint', 'kind', 'tool', 'count'],
      ['fingerprint', 'kind', 'tool', 'count'],
    ])
    expect(text.split('\n')).toHaveLength(8)
    await unloop(['scan', 'logs', '--write-baseline', 'c.json', '--jobs', '2'], { cwd })
    expect(readFileSync(join(cwd, 'c.json'), 'utf8')).toBe(text)
    for (const word of ['login', 'ada', 'home', cwd]) expect(text).not.toContain(word)
  })

  it('may be empty', async () => {
    const cwd = stuckFolder()
    mkdirSync(join(cwd, 'none'))
    await unloop(['scan', 'none', '--write-baseline', 'known.json'], { cwd })
    const { code } = await unloop(['scan', 'logs', '--baseline', 'known.json'], { cwd })
    expect(code).toBe(1)
  })

  it.each([
    ['{"schemaVersion":1', 'is not JSON'],
    ['[]', 'is damaged: the document'],
    ['{"schemaVersion":2,"loops":[]}', 'is damaged: schemaVersion'],
    ['{"schemaVersion":1,"loops":[{"kind":"x","count":1}]}', 'is damaged: loops.0.fingerprint'],
    [undefined, 'there is no baseline'],
  ])('that is %s is refused, with advice', async (text, message) => {
    const cwd = stuckFolder()
    if (text !== undefined) writeFileSync(join(cwd, 'known.json'), text)
    const { code, stderr } = await unloop(['scan', 'logs', '--baseline', 'known.json'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('--write-baseline')
  })
})

describe('files that could not be read', () => {
  function brokenFolder(): string {
    const cwd = stuckFolder()
    writeFileSync(join(cwd, 'logs/empty & co.jsonl'), '')
    appendFileSync(join(cwd, 'logs/s1.jsonl'), '{"type":\n')
    writeFileSync(join(cwd, 'logs/package.json'), '{"name":"app"}')
    return cwd
  }

  it('are notifications in SARIF', async () => {
    const { stdout } = await unloop(['scan', 'logs', '--format', 'sarif'], { cwd: brokenFolder() })
    const [invocation] = (JSON.parse(stdout) as Log).runs[0]?.invocations ?? []
    const told = invocation?.toolExecutionNotifications ?? []
    expect(told.map(({ level, descriptor }) => [level, descriptor?.id])).toEqual([
      ['error', 'empty'],
      ['warning', 'bad-records'],
    ])
    const [first] = told.map(({ locations }) => locations?.[0]?.physicalLocation)
    expect(first?.artifactLocation?.uri).toMatch(/^file:\/\/\/.*\/empty%20%26%20co\.jsonl$/)
  })

  it('are errors in JUnit', async () => {
    const { stdout } = await unloop(['scan', 'logs', '--format', 'junit'], { cwd: brokenFolder() })
    expect(stdout).toContain('<testsuites name="unloop scan" tests="4" failures="2" errors="2">')
    expect(stdout).toContain('<testsuite name="files" tests="2" failures="0" errors="2">')
    expect(stdout).toMatch(/empty &amp; co\.jsonl">\n {6}<error type="empty" message="/)
  })
})
