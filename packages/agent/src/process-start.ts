import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What no other process of this machine has, though it gets the same number later; Linux alone tells it without a program. */
export function processMark(pid: number): string | undefined {
  try {
    const booted = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${booted} ${ticksOf(pid)}`
  } catch {
    return
  }
}

/** When a process began, in milliseconds since 1970; nothing if the system does not tell. */
export function processStart(pid: number, platform = process.platform): number | undefined {
  try {
    const start = platform === 'linux' ? startOnLinux(pid) : askForStart(pid, platform)
    return Number.isFinite(start) ? start : undefined
  } catch {
    return
  }
}

// what Linux counts processes in, on every machine that Node runs on
const TICKS_PER_SECOND = 100

function startOnLinux(pid: number): number {
  const [, bootedAt] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? []
  return Number(bootedAt) * 1000 + (ticksOf(pid) / TICKS_PER_SECOND) * 1000
}

/** How long after the machine a process began. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // the name of the program, in parentheses, may contain anything
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[19])
}

function askForStart(pid: number, platform: NodeJS.Platform): number {
  const [program, ...args] =
    platform === 'win32'
      ? [
          'powershell.exe',
          '-NoProfile',
          '-NonInteractive',
          '-Command',
          `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`,
        ]
      : ['ps', '-o', 'lstart=', '-p', `${pid}`]
  const said = execFileSync(program ?? '', args, {
    encoding: 'utf8',
    timeout: 5000,
    stdio: ['ignore', 'pipe', 'ignore'],
    // the names of months
    env: { ...process.env, LC_ALL: 'C' },
  })
  return Date.parse(said.trim())
}
