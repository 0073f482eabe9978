import type { Random } from '../random.js'
import { symbol } from './code.js'
import { people, stems, subjects } from './tables/names.js'

/** A way to run a project's tests: the command, and what it prints for so many failures of so many tests. */
export interface TestRunner {
  command: string
  print(random: Random, failing: readonly string[], total: number): string
}

export const testRunners: readonly TestRunner[] = [
  {
    command: 'python -m pytest -x -q',
    print: (random, failing, total) =>
      [
        ...failing.map(
          (name) => `FAILED tests/test_${name}.py::test_${name} - AssertionError: assert 3 == 4`,
        ),
        failing.length > 0
          ? `${failing.length} failed, ${total - failing.length} passed in ${seconds(random)}s`
          : `${total} passed in ${seconds(random)}s`,
      ].join('\n'),
  },
  {
    command: 'npx vitest run',
    print: (random, failing, total) =>
      [
        ...failing.map(
          (name) =>
            ` FAIL  src/${name}.test.ts > ${name} > keeps the order\nAssertionError: expected [ 1, 2 ] to deeply equal [ 2, 1 ]`,
        ),
        ` Test Files  ${failing.length} failed | ${total - failing.length} passed (${total})`,
        `   Start at  ${clock(random)}`,
        `   Duration  ${random.int(300, 9000)}ms (transform ${random.int(20, 300)}ms, tests ${random.int(100, 900)}ms)`,
      ].join('\n'),
  },
  {
    command: 'go test ./...',
    print: (random, failing, total) =>
      [
        ...failing.map(
          (name) =>
            `--- FAIL: Test${name} (${seconds(random)}s)\n    ${name}_test.go:48: got 0, want 1`,
        ),
        ...(failing.length > 0
          ? ['FAIL', `FAIL\texample.com/shop/internal\t${seconds(random)}s`]
          : [`ok  \texample.com/shop/internal\t${seconds(random)}s (${total} tests)`]),
      ].join('\n'),
  },
  {
    command: 'mvn -q test',
    print: (random, failing, total) =>
      [
        `[INFO] Tests run: ${total}, Failures: ${failing.length}, Errors: 0, Skipped: 0, Time elapsed: ${seconds(random)} s`,
        ...failing.map(
          (name) => `[ERROR]   ${name}Test.shouldKeepOrder:87 expected: <true> but was: <false>`,
        ),
        failing.length > 0 ? '[INFO] BUILD FAILURE' : '[INFO] BUILD SUCCESS',
        `[INFO] Total time:  ${seconds(random)} s`,
        `[INFO] Finished at: ${stamp(random)}`,
      ].join('\n'),
  },
  {
    command: 'cargo test --quiet',
    print: (random, failing, total) =>
      [
        ...failing.map(
          (name) =>
            `thread 'tests::${name}' panicked at src/${name}.rs:61:9:\nassertion \`left == right\` failed`,
        ),
        `test result: ${failing.length > 0 ? 'FAILED' : 'ok'}. ${total - failing.length} passed; ${failing.length} failed; 0 ignored; finished in ${seconds(random)}s`,
      ].join('\n'),
  },
]

/** A compiler's complaint; the same seed words give the same complaint. */
export function buildError(random: Random, path: string): string {
  const name = symbol(random)
  const line = random.int(3, 300)
  return random.pick([
    `${path}:${line}:${random.int(1, 40)} - error TS2345: Argument of type 'string' is not assignable to parameter of type '${random.pick(subjects)}'.\n\nFound 1 error in ${path}:${line}`,
    `error[E0382]: borrow of moved value: \`${name}\`\n --> ${path}:${line}:9\nerror: could not compile \`engine\` due to 1 previous error`,
    `${path}:[${line},17] cannot find symbol\n  symbol:   method ${name}()\n1 error`,
    `Traceback (most recent call last):\n  File "${path}", line ${line}, in <module>\n    from app import ${name}\nImportError: cannot import name '${name}' from 'app'`,
    `./${path}:${line}:2: undefined: ${name}\nmake: *** [Makefile:12: build] Error 1`,
  ])
}

export function listing(random: Random, count = random.int(4, 20)): string {
  return random
    .sample(stems, count)
    .map(
      (stem) =>
        `-rw-r--r-- 1 ${random.pick(people)} staff ${random.int(80, 90000)} Mar ${random.int(1, 28)} ${stem}.${random.pick(['ts', 'py', 'md', 'json'])}`,
    )
    .join('\n')
}

export function matches(random: Random, paths: readonly string[], pattern: string): string {
  return random
    .sample(paths, random.int(1, 9))
    .map(
      (path) =>
        `${path}:${random.int(1, 400)}:  ${pattern}(${random.pick(subjects).toLowerCase()})`,
    )
    .join('\n')
}

export const seconds = (random: Random) => (random.int(2, 9000) / 100).toFixed(2)

export function clock(random: Random): string {
  return [random.int(0, 23), random.int(0, 59), random.int(0, 59)]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

export function stamp(random: Random): string {
  return `2026-0${random.int(1, 9)}-${random.int(10, 28)}T${clock(random)}.${random.int(100, 999)}Z`
}
