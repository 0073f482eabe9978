import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, unloop } from '../../test/host.js'
import { createLazyLog, findSession, newSession, sessionPath } from './sessions.js'

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
    writeFileSync(lock, `${process.ppid}`)
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
