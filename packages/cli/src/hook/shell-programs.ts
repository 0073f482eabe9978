/** What a program that runs another one takes before it: its options with a value, and how many words of its own. */
const LAUNCHERS: Record<string, readonly [options: string, words: number]> = {
  env: ['uCS', 0],
  sudo: ['ugphCrtUDRT', 0],
  doas: ['uC', 0],
  time: ['fo', 0],
  exec: ['a', 0],
  nice: ['n', 0],
  ionice: ['cnp', 0],
  timeout: ['ks', 1],
  stdbuf: ['ioe', 0],
  xargs: ['InPLdEas', 0],
  taskset: ['', 1],
  chroot: ['', 1],
  strace: ['oepuPsE', 0],
  flock: ['wE', 1],
  runuser: ['ugGs', 0],
  parallel: ['jIN', 0],
  function: ['', 1],
  npx: ['p', 0],
  bunx: ['p', 0],
  pnpx: ['p', 0],
  ...Object.fromEntries(
    'nohup command builtin setsid unbuffer coproc busybox corepack npm pnpm yarn bun then do else elif if while until ! {'
      .split(' ')
      .map((name) => [name, ['', 0] as const]),
  ),
}
const LONG = new Set(
  '--user --group --signal --kill-after --adjustment --unset --chdir --package'.split(' '),
)
const PACKAGED = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const SUBCOMMANDS = new Set(['exec', 'x', 'dlx', 'run', 'run-script'])

/** A command without what only runs it. */
export interface Launched {
  /** the program, and what it is given */
  words: string[]
  /** the variables that are set for it */
  env: Record<string, string>
  /** a program before it gives it more words */
  hasMore: boolean
  /** lines of a shell that a program before it runs */
  lines: string[]
}

/** Takes off the programs that run another one, with their options, and variables. */
export function launched(words: readonly string[]): Launched {
  const env: Record<string, string> = {}
  const lines: string[] = []
  let hasMore = false
  let at = 0
  for (;;) {
    const word = words[at] ?? ''
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
    if (name !== undefined) {
      env[name] = value
      at++
      continue
    }
    const program = nameOf(word)
    const launcher = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] : undefined
    if (!launcher) break
    const [options, own] = launcher
    at++
    if (PACKAGED.has(program) && SUBCOMMANDS.has(words[at] ?? '')) at++
    for (; /^-/.test(words[at] ?? ''); at++) {
      const option = words[at] as string
      if (/^(?:-c|--call)$/.test(option) && words[at + 1] !== undefined) {
        lines.push(words[++at] as string)
      } else if (LONG.has(option) || (/^-\w$/.test(option) && options.includes(option.charAt(1)))) {
        at++
      }
    }
    at += own
    hasMore ||= program === 'xargs' || program === 'parallel'
  }
  return { words: words.slice(at), env, hasMore, lines }
}

/** Programs that read commands as a shell does. */
export const SHELLS = new Set('sh bash zsh dash ksh fish eval source .'.split(' '))
/** Programs that run a command somewhere among their words. */
export const RUNNERS = new Set(
  'script su watch tmux screen trap at batch sg cmd cmd.exe pwsh powershell powershell.exe'.split(
    ' ',
  ),
)
/** Programs that run code of another language. */
export const INTERPRETERS = /^(?:python[\d.]*|node|perl|ruby|php|deno|bun|tsx)(?:\.exe)?$/

/** Commands that write to the files that they name. */
export const TO_ALL = new Set(
  'tee dd truncate touch mkdir sponge ed ex vi vim nvim nano chmod chown shred'.split(' '),
)
/** Commands that take the files that they name away. */
export const AWAY = new Set('rm unlink rmdir shred'.split(' '))
/** Commands that write to the last one that they name, a file or a folder. */
export const TO_LAST = new Set('cp mv ln install rsync scp'.split(' '))

export const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1)
