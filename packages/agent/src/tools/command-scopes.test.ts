import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopesOf } from './command-scopes.js'
import { splitCommand } from './split-command.js'

describe('"always" covers', () => {
  it.each([
    ['ls', 'ls'],
    ['ls -la src', 'ls'],
    ['git status', 'git status'],
    ['git  log --oneline -5', 'git log'],
    ["git commit -m 'it is done; really'", 'git commit'],
    ['npm test', 'npm test'],
    ['npm test login', 'npm test'],
    ['npm run build', 'npm run build'],
    ['cargo build --release', 'cargo build'],
    ['go test -run Login ./...', 'go test'],
    ['gh pr view 12', 'gh pr view'],
    ['kubectl get pods', 'kubectl get'],
  ])('of %s all of %s', (command, scope) => {
    expect(scopesOf(command)).toEqual([scope])
  })

  it.each([
    // shells, interpreters, and what starts another program
    'bash -c ls',
    'sh',
    'env ls',
    'sudo ls',
    'xargs ls',
    'node -e 1',
    'node build.js',
    'python3 -c 1',
    'find . -exec rm {} +',
    'npx vitest',
    'npm exec vitest',
    'pnpm dlx vitest',
    'make',
    'time ls',
    'ssh host ls',
    "awk 'BEGIN { system(1) }'",
    'tar --to-command=./x -xf a.tar',
    'sort --compress-program=./x a',
    'docker run alpine ls',
    'kubectl exec pod -- ls',
    // the same through the arguments of one that is harmless otherwise
    'git -c core.pager=./x log',
    'git diff --ext-diff',
    'git log --ex',
    'git rebase -x ./x',
    'git bisect run ./x',
    'git fetch --upload-pack=./x',
    'git grep -O./x a',
    'git config core.pager ./x',
    'npm test --script-shell=./x',
    'npm test -- --import=./x',
    'npm run tsx -- x.ts',
    'npm --prefix other test',
    'pytest @flags',
    'go test -exec ./x',
    'go build -toolexec=./x',
    "cargo build --config 'build.rustc=x'",
    'cargo build --target x.json',
    'kubectl get pods --kubeconfig x',
    'docker -H ssh://x ps',
    'gh pr view -w',
    // one word, not two
    '"git status"',
    'git\\ status',
    './git status',
    '/usr/bin/ls',
    // what only a shell could do
    'ls; sh',
    'ls && sh',
    'ls | sh',
    'ls > x',
    'ls $(sh)',
    'ls `sh`',
    'ls "$HOME"',
    'ls "open',
    'ls << END',
    'A=1 ls',
    'ls\nsh',
    '',
  ])('of %s only itself', (command) => {
    expect(scopesOf(command)).toEqual([`exactly ${command}`])
  })
})

const BENIGN = [
  'ls',
  'git status',
  'git log',
  'git diff',
  'npm test',
  'npm run build',
  'cargo build',
]
const someWord = fc.oneof(
  fc.constantFrom(
    ...'ls cat git status log diff npm test run cargo build sh -c --exec -exec'.split(' '),
  ),
  fc.constantFrom(
    ';',
    '&&',
    '||',
    '|',
    '&',
    '>',
    '<',
    '$(sh)',
    '`sh`',
    '\n',
    '"',
    "'",
    '\\',
    '@x',
    '--',
    '-',
  ),
  fc.string({ maxLength: 6 }),
)

it('no scope is that of a command which begins with other words, or which a shell would have to read', () => {
  fc.assert(
    fc.property(fc.array(someWord, { maxLength: 6 }), fc.constantFrom(' ', ''), (words, space) => {
      const command = words.join(space)
      const [scope = ''] = scopesOf(command)
      if (scope === `exactly ${command}`) return
      const read = splitCommand(command)
      const own = scope.split(' ')
      expect(read.slice(0, own.length)).toEqual(own)
      expect(scope).toMatch(/^[\w.: -]+$/)
    }),
    { numRuns: 500 },
  )
})

it('what was granted for one command is never granted for one that a shell or an interpreter runs', () => {
  const granted = new Set(BENIGN.flatMap(scopesOf))
  const starters =
    'sh bash zsh env sudo xargs node python3 perl ruby npx time nohup nice timeout watch ssh make find awk'
  fc.assert(
    fc.property(
      fc.constantFrom(...starters.split(' ')),
      fc.constantFrom(...BENIGN),
      fc.constantFrom('', '-c ', '-e ', '-exec '),
      (starter, command, flag) => {
        expect(granted.has(scopesOf(`${starter} ${flag}${command}`)[0] ?? '')).toBe(false)
        expect(granted.has(scopesOf(`${command} ; ${starter} x`)[0] ?? '')).toBe(false)
        expect(granted.has(scopesOf(`${command} $(${starter} x)`)[0] ?? '')).toBe(false)
      },
    ),
  )
})

describe('on this machine', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'unloop-scopes-'))
    writeFileSync(join(folder, 'evil'), '#!/bin/sh\ntouch ran\n')
    chmodSync(join(folder, 'evil'), 0o755)
    writeFileSync(join(folder, 'a'), 'one\n')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    git('init')
    git('config', 'user.email', 'a@example.com')
    git('config', 'user.name', 'a')
    git('add', 'a')
    git('commit', '-m', 'one')
    // what --ext-diff turns on
    git('config', 'diff.external', './evil')
    writeFileSync(join(folder, 'a'), 'two\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const PREFIXES =
    'git log,git show,git status,git add,git tag,git branch,git blame,git ls-files,git describe,ls,cat,grep,diff,head,wc,stat,cp,tree'
  const FLAGS =
    '--ext-diff --exec=./evil -x -O./evil --open-files-in-pager=./evil --upload-pack=./evil --receive-pack=./evil -c core.pager=./evil --pager=./evil -exec --command=./evil --pre=./evil -I./evil --use-compress-program=./evil -e --paginate'

  it('no flag makes a command run another program unless it is asked about', () => {
    const commands = PREFIXES.split(',').flatMap((prefix) =>
      FLAGS.split(' ').flatMap((flag) => [`${prefix} ${flag}`, `${prefix} ${flag} ./evil a`]),
    )
    const granted = commands.filter((command) => !scopesOf(command)[0]?.startsWith('exactly '))
    expect(granted.length).toBeGreaterThan(100)
    for (const command of granted) {
      const [program = '', ...args] = splitCommand(command)
      spawnSync(program, args, { cwd: folder, stdio: 'ignore', timeout: 5000 })
      expect(existsSync(join(folder, 'ran')), command).toBe(false)
    }
  })
})
