import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SavedSession, SessionLog } from './session.js'
import { type Line, toText } from './session-line.js'
import { gistOf } from './session-summary.js'

// a state is some 50 KB, so that a file holds at most 2 MB of outdated states
const STATES_PER_FILE = 40

/**
 * A file of JSON lines, one written at a time and at once: what is killed in the middle loses no turn that
 * was finished. What cannot be written throws an error that says why; the next write makes up for it.
 */
export function createSessionLog(path: string, saved: SavedSession): SessionLog {
  let { header, state } = saved
  let entries = [...saved.entries]
  let states = 0
  /** the file lacks something, or ends in half a line */
  let isBehind = false

  const toSummary = (): Line => ({ type: 'summary', ...gistOf(entries, header) })

  function rewrite() {
    const lines: Line[] = [
      { type: 'session', version: 1, ...header },
      { type: 'entries', entries },
      ...(state ? [{ type: 'state' as const, state }] : []),
      toSummary(),
    ]
    const draft = `${path}.${process.pid}.tmp`
    try {
      writeFileSync(draft, lines.map(toText).join(''), { mode: 0o600 })
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
    states = 0
    isBehind = false
  }

  function attempt(write: () => void) {
    try {
      write()
    } catch (error) {
      isBehind = true
      throw new Error(`cannot write ${path}: ${reasonOf(error)}`, { cause: error })
    }
  }

  const add = (line: Line) =>
    attempt(() => {
      if (isBehind) rewrite()
      else appendFileSync(path, toText(line) + toText(toSummary()))
    })

  attempt(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    rewrite()
  })

  return {
    append(entry) {
      entries.push(entry)
      add({ type: 'entry', entry })
    },
    replace(next) {
      const { request } = gistOf(entries, header)
      entries = [...next]
      const isKept = request === '' || request === gistOf(entries, header).request
      if (isKept) return add({ type: 'entries', entries })
      header = { ...header, request }
      attempt(rewrite)
    },
    state(next) {
      state = next
      states++
      if (states >= STATES_PER_FILE) attempt(rewrite)
      else add({ type: 'state', state })
    },
    rename(name) {
      const { name: _, ...unnamed } = header
      header = name.trim() === '' ? unnamed : { ...unnamed, name: name.trim() }
      attempt(rewrite)
    },
    changeModel(model) {
      header = { ...header, model }
      attempt(rewrite)
    },
  }
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}
