import { describe, expect, it } from 'vitest'
import { type Effect, effectOf, secondsIn } from './effect.js'
import { identifying } from './identifying.js'

const ofName = (name: string, args?: unknown) => effectOf(name, args)
const ofLine = (command: unknown) => effectOf('bash', { command })

describe('the effect of a tool by its name', () => {
  it.each<[string, Effect]>([
    ['read_file', 'reads'],
    ['readFile', 'reads'],
    ['mcp__fs__list-directory', 'reads'],
    ['WebSearch', 'reads'],
    ['get_update', 'reads'],
    ['browser_snapshot', 'reads'],
    ['write_file', 'changes'],
    ['str_replace_editor', 'changes'],
    ['create_issue', 'changes'],
    ['browser_click', 'changes'],
    ['wait_for_file', 'waits'],
    ['sleep', 'waits'],
    ['poll_job', 'waits'],
    ['scroll_down', 'moves'],
    ['next_page', 'moves'],
    ['gdb_step', 'moves'],
    ['frobnicate', 'unknown'],
    ['', 'unknown'],
    ['__proto__', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s %s', (name, effect) => expect(ofName(name, {})).toBe(effect))

  it.each<[unknown, Effect]>([
    [{ command: 'view', path: 'a.ts' }, 'reads'],
    [{ command: 'str_replace', path: 'a.ts' }, 'changes'],
    [{ command: 'create', path: 'a.ts' }, 'changes'],
    [{ action: 'list' }, 'reads'],
    [{ operation: 'delete' }, 'changes'],
    [{ action: 'wait' }, 'waits'],
    [{ session_id: 7, chars: '' }, 'waits'],
    [{ session_id: 7, chars: 'y' }, 'changes'],
  ])('or by the operation it is told: %j', (args, effect) => {
    expect(ofName('edit_or_write', args)).toBe(effect)
  })
})

describe('the effect of a command line', () => {
  it.each([
    'ls -la',
    'cat a.ts | grep -n foo | head -20',
    'cd src && ls',
    'git status',
    'git log --oneline -5 2>/dev/null',
    'git diff HEAD~1 -- src/a.ts',
    'grep -rn "a => b" src | sort | uniq -c',
    'sed -n 10,20p a.ts',
    'find . -name "*.ts"',
    '/usr/bin/wc -l a.ts',
    'sudo cat /etc/hosts',
    'node --version',
    'ps aux | grep gradle',
    'test -f a && echo yes || echo no',
  ])('%s reads', (line) => expect(ofLine(line)).toBe('reads'))

  it.each([
    'sed -i s/a/b/ a.ts',
    'echo x > a.txt',
    'echo x >> "a.txt"',
    'cat <<EOF > a.ts\nx\nEOF',
    'git commit -m x',
    'git checkout main',
    'npm install left-pad',
    'pip install requests',
    'ls && rm -rf dist',
    'cat a | tee b',
    'find . -name "*.o" -delete',
    'mkdir -p a/b; cd a/b',
    'LANG=C touch a',
  ])('%s changes', (line) => expect(ofLine(line)).toBe('changes'))

  it.each([
    '',
    '   ',
    'sleep 5',
    'sleep 5 && cat log.txt',
    'sleep 2; curl localhost',
    'tail -f log.txt',
  ])('%j waits', (line) => expect(ofLine(line)).toBe('waits'))

  it.each(['cd src', 'pushd a; popd'])('%s moves', (line) => expect(ofLine(line)).toBe('moves'))

  it.each(['npm test', 'make', 'python a.py', 'ls | ./check.sh'])(
    'nobody knows what %s does',
    (line) => expect(ofLine(line)).toBe('unknown'),
  )

  it('may come as words, as text or under other names', () => {
    expect(ofLine(['bash', '-lc', 'git status'])).toBe('reads')
    expect(ofLine(['rm', '-r', 'dist'])).toBe('changes')
    expect(effectOf('terminal', 'git status')).toBe('reads')
    expect(effectOf('run_shell_command', { cmd: 'rm a' })).toBe('changes')
    expect(effectOf('execute', { script: 'ls' })).toBe('reads')
  })

  it('is taken from a tool that runs commands only', () => {
    expect(effectOf('read_file', { command: 'rm a' })).toBe('reads')
    expect(effectOf('bash', { command: 7 })).toBe('unknown')
    for (const words of [[{ toString: 0 }], [7, null], []]) {
      expect(effectOf('bash', { commands: words })).toBe('unknown')
    }
    expect(effectOf('bash', undefined)).toBe('unknown')
    expect(effectOf('bash', null)).toBe('unknown')
  })
})

describe('output that goes to a temporary file', () => {
  it('is no change, and its name does not make another call', () => {
    expect(ofLine('npm test > /tmp/out1.txt 2>&1')).toBe('unknown')
    expect(ofLine('npm test > out1.txt 2>&1')).toBe('changes')
    for (const file of ['"/tmp/o1"', "'/tmp/o1'", '/dev/shm/o1', '$TMPDIR/o1', '/var/tmp/o1']) {
      expect(ofLine(`npm test > ${file}`)).toBe('unknown')
      expect(identifying({ command: `npm test > ${file}` })).toEqual(
        identifying({ command: `npm test > ${file.replace('o1', 'o2')}` }),
      )
    }
    expect(identifying({ command: ['bash', '-lc', 'make > /tmp/o1'] })).toEqual(
      identifying({ command: ['bash', '-lc', 'make > /tmp/o2'] }),
    )
    const one = identifying({ command: 'npm test > /tmp/o1; tail /tmp/o1' })
    expect(identifying({ command: 'npm test > /tmp/o22; tail /tmp/o22' })).toEqual(one)
    expect(identifying({ command: 'cat /tmp/o1' })).not.toEqual(
      identifying({ command: 'cat /tmp/o2' }),
    )
  })
})

describe('how long a call says it waits', () => {
  it.each<[unknown, number]>([
    [{ command: 'sleep 30; kubectl get pods' }, 30],
    [{ command: 'sleep 1.5 && sleep 2m' }, 121.5],
    [{ command: 'sleep 0; make' }, 0],
    [{ command: 'sleep 0; make # sleep 60' }, 0],
    [{ command: 'sleep 0; echo "sleep 60"' }, 0],
    [{ command: 'tail -f log' }, -1],
    [{ seconds: 20 }, 20],
    [{ yield_time_ms: 5000, chars: '' }, 5],
    [{ timeout: 120_000 }, -1],
    [{ duration: 0 }, 0],
    [{ count: 5 }, -1],
    [undefined, -1],
  ])('%j: %d', (args, seconds) => expect(secondsIn(args)).toBe(seconds))
})
