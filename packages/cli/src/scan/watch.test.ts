import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { writeFaultyConfig } from '../../test/faulty-config.js'
import { createHost, emptyFolder, jsonLines } from '../../test/host.js'
import { claudeLines, honestRun, stuckRun, toLines, writeRun } from '../../test/transcripts.js'
import { run } from '../run.js'

/** Runs the command in the background; `until` waits for something in what it prints. */
function start(args: string[], home: string) {
  const { host, stdout, stderr, signal } = createHost(['scan', '--watch', ...args], {
    cwd: home,
    env: { HOME: home },
  })
  const ended = run(host)
  const until = async (test: () => boolean) => {
    for (let left = 6000; !test(); left--) {
      if (left === 0) throw new Error(`nothing came of it:\n${stdout()}\n${stderr()}`)
      await wait(10)
    }
  }
  const stop = () => {
    signal('SIGINT')
    return ended
  }
  return { stdout, stderr, until, stop }
}

/** What was told of loops that are certain. */
const certainOf = (stdout: string) =>
  jsonLines(stdout).filter(({ certainty }) => certainty === 'certain')

describe('unloop scan --watch', () => {
  const project = '.claude/projects/app/s1.jsonl'

  it('tells of a loop in a transcript that grows, and of nothing that was there before', async () => {
    const home = emptyFolder()
    const earlier = claudeLines(9).map((line) => ({ ...line, sessionId: 's0' }))
    const old = writeRun(home, '.claude/projects/old/s0.jsonl', earlier)
    const path = writeRun(home, project, claudeLines(3))
    const watching = start(['--format', 'jsonl'], home)
    await watching.until(() => watching.stderr().match(/^Following/gm)?.length === 2)
    appendFileSync(path, toLines(claudeLines(1, 3)))
    await watching.until(() => watching.stdout() !== '')
    const [alarm] = jsonLines(watching.stdout())
    expect(alarm).toMatchObject({
      schemaVersion: 1,
      agent: 'claude-code',
      project: '~/app',
      detector: 'repeated-call',
      path,
    })
    expect(await watching.stop()).toBe(1)
    expect(watching.stdout()).not.toContain(old)
    expect(watching.stderr()).toContain('2 transcripts followed')
  })

  it('begins no line with what a transcript has as a name', async () => {
    const home = emptyFolder()
    const named = (count: number, from = 0) =>
      toLines(claudeLines(count, from)).replaceAll('"Read"', '"Read\\n::error::x"')
    const path = writeRun(home, project, claudeLines(1))
    writeFileSync(path, named(3))
    const watching = start([], home)
    await watching.until(() => watching.stderr().includes('s1.jsonl'))
    appendFileSync(path, named(1, 3))
    await watching.until(() => watching.stdout().includes('was called'))
    await watching.stop()
    expect(watching.stdout()).toContain('Read ::error::x')
    expect(watching.stdout()).not.toMatch(/^\s*::/m)
  })

  it('notices a session that begins while it watches, and gives the finding to a command', async () => {
    const home = emptyFolder()
    writeRun(home, '.claude/projects/app/s0.jsonl', claudeLines(1))
    const told = join(home, 'told.json')
    const watching = start(['--exec', `cat >> '${told}'`], home)
    await watching.until(() => watching.stderr().includes('s0.jsonl'))
    const path = writeRun(home, '.claude/projects/app/s1.jsonl', claudeLines(2))
    await watching.until(() => watching.stderr().includes('s1.jsonl'))
    appendFileSync(path, toLines(claudeLines(8, 2)))
    await watching.until(() => watching.stdout().includes('is still stuck'))
    expect(watching.stdout()).toMatch(
      /claude-code is stuck in ~\/app\n {2}repeated-call: Read was called/,
    )
    expect(await watching.stop()).toBe(1)
    expect(jsonLines(readFileSync(told, 'utf8'))).toMatchObject([
      { detector: 'repeated-call', certainty: 'certain' },
      { detector: 'repeated-call', certainty: 'certain', action: 'stop' },
    ])
  })

  it.each([
    ['a folder that was named', ['w'], 'w'],
    ['the place of an agent', [], '.claude/projects/app'],
  ])('tells of a loop in a file that appears whole, in %s', async (_, paths, folder) => {
    const home = emptyFolder()
    const at = new Date(Date.now() - 60_000).toISOString()
    writeRun(home, `${folder}/s0.jsonl`, claudeLines(1))
    const watching = start([...paths, '--format', 'jsonl'], home)
    await watching.until(() => watching.stderr().includes('s0.jsonl'))
    const text = toLines(claudeLines(9)).replace(/"timestamp":"[^"]*"/g, `"timestamp":"${at}"`)
    const half = join(home, 'half')
    writeFileSync(half, text)
    renameSync(half, join(home, folder, 's1.jsonl'))
    await watching.until(() => certainOf(watching.stdout()).length > 0)
    expect(await watching.stop()).toBe(1)
  })

  it('tells nothing of a loop from before in a session that is continued in a new file', async () => {
    const home = emptyFolder()
    const at = new Date(Date.now() - 60_000).toISOString()
    const text = toLines(claudeLines(9)).replace(/"timestamp":"[^"]*"/g, `"timestamp":"${at}"`)
    writeRun(home, '.claude/projects/app/s1.jsonl', [])
    writeFileSync(join(home, '.claude/projects/app/s1.jsonl'), text)
    const watching = start(['--format', 'jsonl'], home)
    await watching.until(() => watching.stderr().includes('s1.jsonl'))
    writeFileSync(join(home, '.claude/projects/app/s2.jsonl'), text)
    await watching.until(() => watching.stderr().includes('s2.jsonl'))
    expect(await watching.stop()).toBe(0)
    expect(watching.stdout()).toBe('')
  })

  it('tells once that a part of the guard fails, and of loops all the same', async () => {
    const home = emptyFolder()
    writeFaultyConfig(home)
    const paths = ['a', 'b'].map((name) => writeRun(home, `w/${name}.jsonl`, stuckRun(1)))
    const watching = start(['w'], home)
    await watching.until(() => watching.stderr().match(/^Following/gm)?.length === 2)
    for (const path of paths) appendFileSync(path, toLines(stuckRun(8).slice(4)))
    await watching.until(() => watching.stdout().match(/is still stuck/g)?.length === 2)
    await watching.stop()
    expect(watching.stderr().match(/the detector thrower failed/g)).toHaveLength(1)
    expect(watching.stderr()).toContain('please report it')
  })

  it('tells only of the agents that were asked for', async () => {
    const home = emptyFolder()
    const path = writeRun(home, 'w/a.jsonl', claudeLines(3))
    const other = writeRun(home, 'w/b.jsonl', stuckRun(3))
    const watching = start(['w', '--agent', 'event-lines'], home)
    await watching.until(() => watching.stderr().match(/^Following/gm)?.length === 2)
    appendFileSync(path, toLines(claudeLines(5, 3)))
    appendFileSync(other, toLines(stuckRun(8).slice(10)))
    await watching.until(() => watching.stdout().includes('is still stuck'))
    await watching.stop()
    expect(watching.stdout()).not.toContain('claude-code')
  })

  it.each([
    ['with the name of its session', (n: number) => claudeLines(n, 0)],
    ['without a name', (n: number) => stuckRun(n, Date.now() + 60_000)],
  ])('tells of a loop once, also if its file is renamed or rewritten: %s', async (_, linesOf) => {
    const home = emptyFolder()
    const now = new Date(Date.now() + 60_000).toISOString()
    const lines = (n: number) =>
      toLines(linesOf(n)).replace(/"timestamp":"[^"]*"/g, `"timestamp":"${now}"`)
    const path = writeRun(home, 'w/a.jsonl', [])
    const told = join(home, 'told.json')
    const watching = start(['w', '--format', 'jsonl', '--exec', `cat >> '${told}'`], home)
    await watching.until(() => watching.stderr().includes('Watching'))
    const text = lines(8)
    const follows = (name: string) =>
      watching.until(() => watching.stderr().includes(`Following ~/w/${name}\n`))
    writeFileSync(path, text)
    await follows('a.jsonl')
    await watching.until(() => certainOf(watching.stdout()).length === 2)
    renameSync(path, join(home, 'w/a.old.jsonl'))
    await follows('a.old.jsonl')
    // a new file with the same in it, and one that is cut and written again
    writeFileSync(path, text)
    appendFileSync(join(home, 'w/a.old.jsonl'), '\n')
    writeRun(home, 'w/b.jsonl', honestRun())
    await follows('b.jsonl')
    writeFileSync(join(home, 'w/b.jsonl'), toLines(stuckRun(5, Date.now() + 90_000)))
    await watching.until(() =>
      jsonLines(watching.stdout()).some((one) => one.path.endsWith('b.jsonl')),
    )
    await watching.stop()
    const alarms = certainOf(watching.stdout()).filter(({ path }) => !path.endsWith('b.jsonl'))
    expect(alarms).toMatchObject([{}, { action: 'stop' }])
    const likely = jsonLines(watching.stdout()).filter(
      ({ path, certainty }) => certainty === 'likely' && !path.endsWith('b.jsonl'),
    )
    expect(likely.length).toBeLessThan(2)
    const commands = jsonLines(readFileSync(told, 'utf8'))
    expect(commands.filter(({ path }) => !path.endsWith('b.jsonl'))).toHaveLength(2)
  })

  it('says when the command fails', async () => {
    const home = emptyFolder()
    const path = writeRun(home, project, claudeLines(3))
    const failing = start(['--exec', 'exit 7'], home)
    await failing.until(() => failing.stderr().includes('Following'))
    appendFileSync(path, toLines(claudeLines(1, 3)))
    await failing.until(() => failing.stderr().includes('ended with 7'))
    await failing.stop()
  })

  it('tells only of the project that was asked for, and ends quietly where nothing was found', async () => {
    const home = emptyFolder()
    const path = writeRun(home, project, claudeLines(3))
    const other = toLines(claudeLines(3)).replaceAll('/home/ada/app', '/home/ada/other')
    const wanted = writeRun(home, '.claude/projects/other/s2.jsonl', [])
    writeFileSync(wanted, other)
    const watching = start(['--project', 'other'], home)
    await watching.until(() => watching.stderr().match(/^Following/gm)?.length === 2)
    appendFileSync(path, toLines(claudeLines(5, 3)))
    appendFileSync(wanted, toLines(claudeLines(1, 3)).replaceAll('/ada/app', '/ada/other'))
    await watching.until(() => watching.stdout() !== '')
    expect(watching.stdout()).toContain('is stuck in ~/other')
    await watching.stop()
    expect(watching.stdout()).not.toContain('~/app')
    const quiet = start([], home)
    await quiet.until(() => quiet.stderr().match(/^Following/gm)?.length === 2)
    expect(await quiet.stop()).toBe(0)
  })

  it('tells of all that begin at once, and of a loop again when it comes after another request', async () => {
    const home = emptyFolder()
    const watching = start(['.', '--format', 'jsonl'], home)
    await watching.until(() => watching.stderr().includes('Watching'))
    const names = Array.from({ length: 14 }, (_, n) => `${n}.jsonl`)
    const now = Date.now() + 1000
    for (const name of names) writeRun(home, name, [...stuckRun(6, now), ...stuckRun(6, now + 1)])
    await watching.until(() => certainOf(watching.stdout()).length >= 4 * names.length)
    expect(await watching.stop()).toBe(1)
    for (const name of names) {
      const own = certainOf(watching.stdout()).filter(({ path }) => path === join(home, name))
      expect(own).toMatchObject([{}, { action: 'stop' }, {}, { action: 'stop' }])
    }
  })
})
