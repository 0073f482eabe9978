import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readAll } from '../dist/hook/journal.js'

const command = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))

/** A home folder with the state of hooks, and real hook processes in it. */
export function createHooks() {
  const home = mkdtempSync(join(tmpdir(), 'unloop-hooks-'))

  function start(agent: string[], input: string | Buffer) {
    const child = spawn(process.execPath, [command, 'hook', ...agent], {
      env: { ...process.env, UNLOOP_HOME: home },
      stdio: 'pipe',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => {
        output += piece
      })
    }
    // a hook that was killed does not read to the end
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const end = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
    return { child, end }
  }

  return {
    home,
    start,
    run: (agent: string[], input: string | Buffer) => start(agent, input).end,
    /** How many lines there are in the session: those that were saved, and those since. */
    count(session: string): number {
      const reading = readAll(join(home, 'guarded', session))
      const saved = reading?.saved as { guard: { events: number } } | undefined
      return (saved?.guard.events ?? 0) + (reading?.lines.length ?? 0)
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** A message of Claude Code: each counts as one event, and says nothing about the others. */
export const message = (session: string, id: string) =>
  JSON.stringify({
    session_id: session,
    hook_event_name: 'Stop',
    last_assistant_message: `Part ${id} is done, and its tests pass.`,
  })
