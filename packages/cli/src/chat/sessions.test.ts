import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createSessionLog } from '@unloop/agent'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, unloop } from '../../test/host.js'
import {
  createLazyLog,
  findSession,
  listSessions,
  newSession,
  pastPrompts,
  sessionPath,
} from './sessions.js'
import { promptsOf } from './transcript.js'

/** A home with one conversation in it. */
async function saved() {
  const cwd = emptyFolder()
  const env = { UNLOOP_HOME: join(cwd, 'home') }
  const { stderr } = await unloop(['chat', '-p', 'What is unloop?', '--save'], { cwd, env })
  const id = /saved as (\w+)/.exec(stderr)?.[1] ?? ''
  const { host } = createHost([], { cwd, env })
  return { cwd, env, host, id, path: sessionPath(host, id) }
}

const problem = (message: string) => {
  throw new Error(message)
}

describe('a saved conversation', () => {
  it('is written by one process at a time', async () => {
    const { cwd, env, id, path } = await saved()
    const lock = path.replace('.jsonl', '.lock')
    expect(existsSync(lock)).toBe(false)
    // the process that started the tests lives longer than they do
    writeFileSync(lock, JSON.stringify({ pid: process.ppid }))
    const args = ['chat', '-p', 'And a guard?', '--resume', id]
    const { code, stdout, stderr } = await unloop([...args, '--save'], { cwd, env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`${id} is open in another unloop chat, process ${process.ppid}`)
    expect((await unloop(args, { cwd, env })).code).toBe(0)
  })

  it.each(['0', 'x', '', '4194305'])(
    'is free again after its process was killed: %j',
    async (pid) => {
      const { cwd, env, id, path } = await saved()
      writeFileSync(path.replace('.jsonl', '.lock'), pid)
      const args = ['chat', '-p', 'And a guard?', '--resume', id, '--save']
      expect((await unloop(args, { cwd, env })).code).toBe(0)
    },
  )

  it.each([
    ['of an older version', (pid: number) => `${pid}`],
    ['without a mark', (pid: number) => JSON.stringify({ pid })],
    ['with the mark of another', (pid: number) => JSON.stringify({ pid, mark: 'boot 1' })],
  ])(
    'is free again if another process has the number of the one that was killed: a lock %s',
    async (_, toLock) => {
      const { cwd, env, id, path } = await saved()
      const lock = path.replace('.jsonl', '.lock')
      // this process began after the machine was built
      writeFileSync(lock, toLock(process.ppid))
      utimesSync(lock, 1, 1)
      const args = ['chat', '-p', 'And a guard?', '--resume', id, '--save']
      expect((await unloop(args, { cwd, env })).code).toBe(0)
      expect(existsSync(lock)).toBe(false)
    },
  )

  it('is continued on a full disk, which is told once, and is saved when there is room again', async () => {
    const { cwd, env, host, id, path } = await saved()
    const before = readFileSync(path, 'utf8')
    // what is written there finds no room
    symlinkSync('/dev/full', `${path}.${process.pid}.tmp`)
    const args = ['chat', '-p', 'And a guard?', '--resume', id, '--save']
    const { code, stdout, stderr } = await unloop(args, { cwd, env })
    expect(code).toBe(0)
    expect(stdout).not.toBe('')
    expect(stderr.match(/the disk is full/g)).toHaveLength(1)
    expect(readdirSync(dirname(path))).toEqual([`${id}.jsonl`])
    expect(readFileSync(path, 'utf8').length).toBeGreaterThan(before.length)
    expect(promptsOf(findSession(host, id).entries)).toEqual(['What is unloop?', 'And a guard?'])
  })

  it('is found by its name, by a part of it, and by what was asked first', async () => {
    const { host, id, path } = await saved()
    createSessionLog(path, findSession(host, id)).rename('The Login Bug')
    for (const wanted of [id, 'the login bug', 'login', 'bug the', 'what is'])
      expect(findSession(host, wanted).header.name).toBe('The Login Bug')
    expect(listSessions(host)).toMatchObject([{ id, name: 'The Login Bug', messages: 4 }])
    expect(() => findSession(host, 'logout')).toThrow('no conversation in this folder')
    expect(() => findSession(host, '../sessions/x')).toThrow('no conversation in this folder')
  })

  it('is not guessed if several match', async () => {
    const { cwd, env, host } = await saved()
    await unloop(['chat', '-p', 'What is a guard?', '--save'], { cwd, env })
    expect(() => findSession(host, 'what')).toThrow('2 conversations match what')
    expect(promptsOf(findSession(host, 'guard').entries)).toEqual(['What is a guard?'])
    expect(pastPrompts(host, '')).toEqual(['What is unloop?', 'What is a guard?'])
  })

  it('is listed among 1,000', async () => {
    const { host, path } = await saved()
    const text = readFileSync(path, 'utf8')
    for (let count = 0; count < 1000; count++)
      writeFileSync(join(dirname(path), `x${count}.jsonl`), text)
    expect(listSessions(host)).toHaveLength(1000)
  })

  it('is found among files that are none', async () => {
    const { host, id, path } = await saved()
    const folder = join(path, '..')
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link.jsonl'))
    mkdirSync(join(folder, 'folder.jsonl'))
    writeFileSync(join(folder, 'empty.jsonl'), '')
    writeFileSync(join(folder, 'null.jsonl'), 'null\n')
    expect(findSession(host, true).header.id).toBe(id)
  })

  it('that cannot be saved is refused before anything is asked', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), '')
    const env = { UNLOOP_HOME: join(cwd, 'file') }
    const args = ['chat', '-p', 'What is unloop?', '--save', '--json']
    const { code, stdout, stderr } = await unloop(args, { cwd, env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('unloop: cannot save the conversation')
  })

  it('that cannot be saved any more goes on and says so once', () => {
    const cwd = emptyFolder()
    const { host } = createHost([], { cwd, env: { UNLOOP_HOME: join(cwd, 'home') } })
    writeFileSync(join(cwd, 'home'), '')
    const problems: string[] = []
    const session = newSession(host, 'embedded')
    const log = createLazyLog(sessionPath(host, 'x'), session, (text) => problems.push(text))
    const entry = { message: { role: 'user' as const, content: 'hi' }, first: 0, last: 0 }
    log.append(entry)
    log.append(entry)
    expect(problems).toEqual([expect.stringContaining('cannot save the conversation')])
  })

  it('of a chat in which nothing was said leaves no file', () => {
    const cwd = emptyFolder()
    const { host } = createHost([], { cwd, env: { UNLOOP_HOME: join(cwd, 'home') } })
    createLazyLog(sessionPath(host, 'x'), newSession(host, 'embedded'), problem).release()
    expect(existsSync(join(cwd, 'home'))).toBe(false)
  })
})
