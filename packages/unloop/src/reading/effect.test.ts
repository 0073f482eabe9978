import { describe, expect, it } from 'vitest'
import { step, times } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { canWait, type Effect, effectOf, isMeasuring, isView, secondsIn } from './effect.js'
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

  it('moves if it gets a direction', () => {
    for (const args of [{ direction: 'north' }, { direction: 'Up' }, { dir: 'w' }]) {
      expect(ofName('move', args)).toBe('moves')
      expect(ofName('go', args)).toBe('moves')
    }
    expect(ofName('sort', { direction: 'ascending' })).toBe('unknown')
    expect(ofName('move_file', { direction: 'to the left of the other' })).toBe('changes')
  })

  it('waits where nothing is typed into a program that runs', () => {
    expect(ofName('write_stdin', { session_id: 7, chars: '' })).toBe('waits')
    expect(ofName('write_stdin', { session_id: 7 })).toBe('waits')
    expect(ofName('write_stdin', { session_id: 7, chars: 'y\n' })).toBe('changes')
    expect(ofName('send_to_shell', { stdin: '' })).toBe('waits')
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
    'pip --version',
    'ps aux | grep gradle',
    'test -f a && echo yes || echo no',
    'cat a.gz | gunzip | head -5',
    'cat a.ts | xz | wc -c',
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
    'gunzip a.gz',
    'tar xf a.tar',
    'cat a.ts | gzip > a.gz',
    "cat > a.py <<'E'\nprint(1)\nE",
    "cat > a.py <<'E'\nprint(1)\nE\npython b.py",
  ])('%s changes', (line) => expect(ofLine(line)).toBe('changes'))

  it.each([
    '',
    '   ',
    'sleep 5',
    'sleep 5 && cat log.txt',
    'sleep 2; curl localhost',
    'tail -f log.txt',
  ])('%j waits', (line) => expect(ofLine(line)).toBe('waits'))

  it.each(['cd src', 'pushd a; popd', './walk north'])('%s moves', (line) =>
    expect(ofLine(line)).toBe('moves'),
  )

  it.each([
    'npm test',
    'make',
    'python a.py',
    'ls | ./check.sh',
    "cat > a.py <<'E'\nprint(1)\nE\npython a.py",
    "cat > src/a.py <<'E'\nprint(1)\nE\ncd src && python a.py",
  ])('nobody knows what %s does', (line) => expect(ofLine(line)).toBe('unknown'))

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
  it('does not count as a change, and its name does not make a different call', () => {
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

describe('a comment', () => {
  it('does not make another command', () => {
    const one = identifying({ command: 'git status # look at it' })
    expect(identifying({ command: 'git status # look once more' })).toEqual(one)
    expect(identifying('make # 1')).toEqual(identifying('make # 2'))
    expect(identifying({ command: ['bash', '-lc', 'make # 1'] })).toEqual(
      identifying({ command: ['bash', '-lc', 'make # 2'] }),
    )
  })

  it('differs from a mark that belongs to the command', () => {
    for (const command of ['echo "# one"', 'curl localhost/a#one', "sed 's #a #one ' a.ts"]) {
      expect(identifying({ command })).not.toEqual(
        identifying({ command: command.replace('one', 'two') }),
      )
    }
  })

  it('does not hide a loop', () => {
    const guard = createGuard()
    const events = times(5, (lap) =>
      step('bash', { command: `git status # try ${lap}` }, 'nothing to commit'),
    )
    const actions = events.flatMap((event) => guard.observe(event)?.action ?? [])
    expect(actions).toEqual(['warn', 'block', 'stop'])
  })
})

describe('a call that measures', () => {
  it.each([
    'hyperfine ./a',
    'npm run bench',
    'perf stat ./a',
    'python -m timeit x',
    'wrk localhost',
  ])('may be a command: %s', (command) => expect(isMeasuring('bash', { command })).toBe(true))

  it('may be a tool', () => {
    expect(isMeasuring('run_benchmark', {})).toBe(true)
    expect(isMeasuring('npm_test', {})).toBe(false)
    expect(isMeasuring('bash', { command: 'npm test' })).toBe(false)
  })

  it('may be made again, for its times are what it is made for', () => {
    const observed = (command: string) => {
      const guard = createGuard()
      const events = times(7, (lap) =>
        step('bash', { command }, `${command}: done in ${lap + 3}.2s`),
      )
      return events.flatMap((event) => guard.observe(event) ?? [])
    }
    expect(observed('hyperfine ./run')).toEqual([])
    expect(observed('./run')).not.toEqual([])
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

describe('a name that ends in a state', () => {
  it.each(['deploy_status', 'export_status', 'merge_state', 'install_progress', 'build_log'])(
    'looks at it: %s',
    (name) => expect(effectOf(name, {})).toBe('reads'),
  )

  it.each(['set_status', 'update_status', 'delete_log'])('changes it: %s', (name) =>
    expect(effectOf(name, {})).toBe('changes'),
  )
})

describe('a call whose answer may change by itself', () => {
  const waits = (name: string, args: unknown = {}) => canWait(name, args, effectOf(name, args))

  it.each([
    ['get_build_status', {}],
    ['check_email', { folder: 'inbox' }],
    ['wait_for_job', {}],
    ['http_request', { url: 'https://a.example' }],
    ['bash', { command: 'kubectl get pods' }],
    ['bash', { command: 'sleep 5; ls dist' }],
  ])('can be waited for: %s %j', (name, args) => expect(waits(name, args)).toBe(true))

  it.each([
    ['read_file', { path: 'status.md' }],
    ['grep', { pattern: 'wait' }],
    ['calculator', { expression: '1 + 1' }],
    ['list_directory', { path: 'jobs' }],
    ['bash', { command: 'cat src/discount.ts' }],
  ])('is not this: %s %j', (name, args) => expect(waits(name, args)).toBe(false))
})

describe('a call that shows one thing', () => {
  const views = (name: string, args: unknown = {}) => isView(name, args, effectOf(name, args))

  it.each([
    ['read_file', {}],
    ['get_issue', {}],
    ['web_fetch', {}],
    ['bash', { command: 'cat a.ts' }],
    ['bash', { command: "sed -n '1,40p' a.ts" }],
  ])('is %s %j', (name, args) => expect(views(name, args)).toBe(true))

  it.each([
    ['grep', {}],
    ['search', {}],
    ['write_file', {}],
    ['bash', { command: 'grep -rn x src' }],
  ])('is not %s %j', (name, args) => expect(views(name, args)).toBe(false))
})
