import { readFile, symlink, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, type TemporaryFolder } from '@unloop/testing'
import { afterEach, expect, test } from 'vitest'
import { runCommandTool } from './run-command.js'

let temporary: TemporaryFolder | undefined
afterEach(() => temporary?.remove())

async function start(files: Record<string, string> = {}, limitMs?: number) {
  temporary = await makeFolder(files)
  const tool = runCommandTool(temporary.path, limitMs)
  const { signal: never } = new AbortController()
  const run = async (command: string, signal = never) =>
    tool.execute({ command }, { signal, report: () => {} })
  return { folder: temporary.path, run, tool }
}

/** Whether a process is there; one that is dead and not yet buried is not. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !/\) [ZX] /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
}

const SCRIPTS = {
  'hello.mjs': `console.log('out', process.cwd()); console.error('err'); console.log(process.argv.slice(2).join('|'))`,
  'fail.mjs': `console.log('wrong'); process.exit(3)`,
  'long.mjs': `for (let n = 0; n < 100000; n++) console.log(n)`,
  // a child of the child that would live on, and that holds the pipe
  'tree.mjs': `
    import { spawn } from 'node:child_process'
    import { renameSync, writeFileSync } from 'node:fs'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    console.log('pids', process.pid, child.pid)
    writeFileSync('pids.new', \`pids \${process.pid} \${child.pid}\`)
    renameSync('pids.new', 'pids')
    if (process.argv[2] === 'leave') { child.unref(); process.exit(0) }
    setInterval(() => {}, 1000)`,
}

test('a program runs in the folder and tells its exit code', async () => {
  const { folder, run } = await start(SCRIPTS)
  const output = String(await run(`node hello.mjs 'a b' "c|d"`))
  expect(output.split('\n')[0]).toBe('exit code 0')
  expect(output.split('\n').slice(1).sort()).toEqual(['a b|c|d', 'err', `out ${folder}`])
})

test('another exit code is an error with what was written', async () => {
  const { run } = await start(SCRIPTS)
  await expect(run('node fail.mjs')).rejects.toThrow('exit code 3\nwrong')
})

test('of a long output the beginning and the end are kept', async () => {
  const { run } = await start(SCRIPTS)
  const output = String(await run('node long.mjs'))
  expect(output).toMatch(/^exit code 0\n0\n1\n/)
  expect(output).toMatch(/characters left out\]\n[\d\n]*\n99999$/)
  expect(output.length).toBeLessThan(20_100)
})

test('a program that is not there', async () => {
  const { run } = await start()
  await expect(run('no-such-program x')).rejects.toThrow('no such program: no-such-program')
})

test('no output is said so', async () => {
  const { run } = await start({ 'quiet.mjs': '' })
  expect(await run('node quiet.mjs')).toBe('exit code 0\n(no output)')
})

test.each([
  'cat /etc/passwd',
  'cat ../secret',
  'cat sub/../../secret',
  'cat link/passwd',
  'cat file-link',
  'cat dangling',
  'cat ~/secret',
  'cat ~',
  'cat "~root/x"',
  'tool --file=/etc/passwd',
  'tool --mount type=bind,source=/etc',
  'tool -C..',
  'tool -I/usr/include',
  'tar -cf../evil.tar x',
  'cp -rt../out x',
  'cp -vt/tmp/out x',
  'cp -vt/ x',
  'sort -uo../sorted x',
  'cp -rtlink x',
  'sh -c "cat ../secret"',
  'bash -lc "cat /etc/passwd"',
  'sh -c "cat ~/secret"',
  `node -e "require('fs').readFileSync('../secret')"`,
  'curl -d @/etc/passwd',
  'curl file:///etc/passwd',
  '/bin/ls',
  '../run.sh',
  'link/run.sh',
])('%s is refused', async (command) => {
  const { folder, run } = await start({ 'sub/x': '' })
  await symlink('/etc', join(folder, 'link'))
  await symlink('/etc/passwd', join(folder, 'file-link'))
  await symlink('../not-yet', join(folder, 'dangling'))
  await expect(run(command)).rejects.toThrow(/^(?:outside the folder|a link to nowhere): /)
})

test.each([
  'HEAD..main',
  'HEAD~1',
  '~1.2.0',
  'https://example.com/a/b',
  'package.json/x',
  '--depth=1',
  '-m',
  '-Isub/x',
  '-Lsub/lib',
  '-es/a/b/g',
  '-rf',
  'sub/x',
  './sub/../sub/x',
  'x'.repeat(5000),
])('the argument %s is let through', async (arg) => {
  const { run } = await start({ 'sub/x': '', 'package.json': '{}' })
  expect(await run(`echo ${arg}`)).toBe(`exit code 0\n${arg}`)
})

test.each([`git commit -m 'Use ../lib and /etc for that'`, `node -e 'console.log(4 / 2) // half'`])(
  '%s is no place',
  async (command) => {
    const { run } = await start()
    await expect(run(`echo ${command}`)).resolves.toContain('exit code 0')
  },
)

test('a command that is refused is not asked about, and another is shown as it is', async () => {
  const { tool, folder } = await start()
  expect(tool.confirm?.({ command: 'a | b' })).toBeUndefined()
  expect(tool.confirm?.({ command: `rm 'a\u001b[2K\nb'` })).toBe(
    `Run this in ${folder}?\nrm 'a\\u{1b}[2K\\u{a}b'`,
  )
})

test('an abort ends the program and all it started', async () => {
  const { folder, run } = await start(SCRIPTS)
  const controller = new AbortController()
  const reason = new Error('enough')
  const isUp = (async () => {
    for await (const { filename } of watch(folder)) if (filename === 'pids') return
  })()
  const running = run('node tree.mjs', controller.signal)
  running.catch(() => {})
  await isUp
  controller.abort(reason)
  await expect(running).rejects.toBe(reason)
  await expectGone(await readFile(join(folder, 'pids'), 'utf8'))
})

test('nothing is started under a signal that is aborted', async () => {
  const { run } = await start()
  await expect(run('echo a', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('the time limit ends a program', async () => {
  const { run } = await start({}, 50)
  await expect(run(`node -e 'setInterval(() => {}, 1000)'`)).rejects.toThrow('stopped after 0.05 s')
})

test('what a program leaves behind is ended with it, and does not hold the answer', async () => {
  const { run } = await start(SCRIPTS)
  const output = String(await run('node tree.mjs leave'))
  expect(output).toMatch(/^exit code 0\npids/)
  await expectGone(output)
})

async function expectGone(output: string): Promise<void> {
  const [parent, child] = /pids (\d+) (\d+)/.exec(output)?.slice(1).map(Number) ?? []
  await expect.poll(() => isAlive(parent ?? 1)).toBe(false)
  await expect.poll(() => isAlive(child ?? 1)).toBe(false)
}

test('a folder that looks like a repository is none for git', async () => {
  const { run } = await start({
    HEAD: 'ref: refs/heads/main\n',
    config: '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ran; false"\n',
    'objects/x': '',
    'refs/x': '',
  })
  await expect(run('git status')).rejects.toThrow(/exit code 128/)
  expect(await run('ls')).not.toContain('ran')
})
