import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine. */
interface Process {
  pid: number
  parent: number
  /** when it was started, in some form: with the pid, this is the same process and no other */
  started: string
  isMarked: boolean
}

/** Keeps an eye on all that a process starts, whatever group or session that is in. */
export interface Descendants {
  /** Looks who is there now; those that lose their parent later are known from then on. */
  look(): void
  /** Ends all that are still there, without asking. */
  kill(): void
}

// what is killed may be starting something else at that moment
const ROUNDS = 5

/**
 * The descendants of a process. `mark` is a variable of its environment, which they inherit: on Linux it tells them even after
 * their parents are gone. Elsewhere only those are known that were seen by `look`.
 */
export function createDescendants(
  root: number,
  mark: string,
  platform: NodeJS.Platform,
): Descendants {
  const known = new Map<number, string>()

  function look(): boolean {
    let isNews = false
    const all = listProcesses(mark, platform)
    const family = new Set([root])
    // parents may be listed behind their children
    for (let before = 0; before !== family.size; ) {
      before = family.size
      for (const { pid, parent, started } of all) {
        if (family.has(parent) || known.get(pid) === started) family.add(pid)
      }
    }
    for (const { pid, started, isMarked } of all) {
      if (pid === process.pid || pid === root || known.get(pid) === started) continue
      if (!isMarked && !family.has(pid)) continue
      known.set(pid, started)
      isNews = true
    }
    for (const pid of known.keys()) {
      if (!all.some((one) => one.pid === pid && one.started === known.get(pid))) known.delete(pid)
    }
    return isNews
  }

  return {
    look: () => void look(),
    kill() {
      for (let round = 0; round < ROUNDS; round++) {
        look()
        if (known.size === 0) return
        for (const pid of known.keys()) signal(pid, 'SIGKILL')
        known.clear()
      }
    },
  }
}

/** Sends a signal, if there is somebody to get it. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it is gone
  }
}

function listProcesses(mark: string, platform: NodeJS.Platform): Process[] {
  try {
    if (platform === 'linux') return fromProc(mark)
    return platform === 'win32' ? [] : fromPs()
  } catch {
    return []
  }
}

function fromProc(mark: string): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = readText(`/proc/${name}/stat`)
    // the name of the program, in parentheses, may contain anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, parent] = fields
    if (state === undefined || parent === undefined || state === 'Z') return []
    const isMarked = `\0${readText(`/proc/${name}/environ`)}`.includes(`\0${mark}`)
    // field 22 of proc(5), counted from the state, which is 3
    return { pid: Number(name), parent: Number(parent), started: fields[19] ?? '', isMarked }
  })
}

function fromPs(): Process[] {
  const printed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8' })
  return printed.split('\n').flatMap((line) => {
    const [pid, parent, state, ...started] = line.trim().split(/\s+/)
    if (!pid || !parent || state?.startsWith('Z')) return []
    return { pid: Number(pid), parent: Number(parent), started: started.join(' '), isMarked: false }
  })
}

/** What a file of a process says; nothing if it is gone or not ours. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
