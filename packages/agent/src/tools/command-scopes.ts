import { splitCommand } from './split-command.js'

/**
 * What "always" to a command would allow, in words: `git status` with any arguments, where no argument can make the program
 * run another one; else exactly this command.
 */
export function scopesOf(command: string): readonly string[] {
  const exactly = [`exactly ${command}`]
  let words: string[]
  try {
    words = splitCommand(command)
  } catch {
    return exactly
  }
  for (const length of [3, 2, 1]) {
    const scope = words.slice(0, length)
    // one word with a space in it is not two words
    if (scope.length < length || !scope.every((word) => PLAIN_WORD.test(word))) continue
    const isAllowed = ruleFor(scope)
    if (isAllowed) return words.slice(length).every(isAllowed) ? [scope.join(' ')] : exactly
  }
  return exactly
}

const PLAIN_WORD = /^[\w.:-]+$/

/** Whether a scope still holds with this argument. */
type Rule = (arg: string) => boolean

const any: Rule = () => true
const none: Rule = () => false
// some read further flags from a file after an @
const noFlags: Rule = (arg) => !/^[-@]/.test(arg)
const only =
  (flags: RegExp): Rule =>
  (arg) =>
    noFlags(arg) || flags.test(arg)
const but =
  (flags: RegExp): Rule =>
  (arg) =>
    !flags.test(arg)

function ruleFor(scope: readonly string[]): Rule | undefined {
  const [program = '', subcommand, script = '-'] = scope
  // which script it is decides what runs, and a script may take a program as its argument
  if (SCRIPTS.has(program) && subcommand === 'run' && !script.startsWith('-')) return none
  return RULES.get(scope.join(' '))
}

const SCRIPTS = new Set(['npm', 'pnpm', 'yarn'])

const rulesOf = (program: string, subcommands: string, rule: Rule) =>
  subcommands.split(' ').map((subcommand) => [`${program} ${subcommand}`, rule] as const)

// Git takes a flag by its first letters: --ext-diff, --exec and --textconv run programs, --output writes anywhere
const GIT = but(/^--(?:e|te|ou)/)
// others name a program that runs what was built
const CARGO = only(
  /^(?:--(?:release|all|workspace|all-targets|all-features|lib|bins|tests|locked)|-[vqp])$/,
)
const GO = only(/^-(?:v|race|short|cover|run|count=\d+)$/)
// others name another server, which would get the credentials
const KUBECTL = only(
  /^(?:-[noAlwfp]|--(?:namespace|all-namespaces|output|selector|tail|since)(?:=.*)?)$/,
)
// a configuration can name programs, `-w` opens a browser, and `diff -l` starts `pr`
const DOCKER = but(/^(?:--(?:config|host|context)|-[Hc])/)
const GITHUB = but(/^(?:--w|-\w*w)/)
const DIFF = but(/^(?:--p|-\w*l)/)

/**
 * The programs that run no other one than those the project itself names, and destroy nothing, whatever their arguments. What is
 * missing here is allowed command by command: shells, interpreters, `env`, `find`, `sort`, `make`, `ssh`; what writes to any
 * place (`cp`, `mv`, `tree -o`), or deletes (`rm`, `git reset`); `jq`, which prints the environment; and all that we do not know.
 */
const RULES = new Map<string, Rule>([
  ...(
    'ls cat head tail wc cut tr nl pwd echo printf stat du df basename dirname realpath readlink ' +
    'cmp grep md5sum sha1sum sha256sum which true false mkdir'
  )
    .split(' ')
    .map((program) => [program, any] as const),
  ...rulesOf(
    'git',
    'status log diff show add commit blame rev-parse ls-files describe shortlog',
    GIT,
  ),
  // flags of these load code or choose the shell
  ...rulesOf('npm', 'test', noFlags),
  ...rulesOf('pnpm', 'test', noFlags),
  ...rulesOf('yarn', 'test', noFlags),
  ...rulesOf('vitest', 'run', noFlags),
  ['pytest', noFlags],
  ['jest', noFlags],
  ['diff', DIFF],
  ...rulesOf('go', 'build test vet version', GO),
  ...rulesOf('cargo', 'build check test clippy fmt doc tree', CARGO),
  ...rulesOf('kubectl', 'get describe logs version', KUBECTL),
  ...rulesOf('docker', 'ps images logs inspect version', DOCKER),
  ...rulesOf('gh pr', 'list view diff status checks', GITHUB),
  ...rulesOf('gh issue', 'list view status', GITHUB),
  ...rulesOf('gh run', 'list view', GITHUB),
])
