import { describe, expect, it } from 'vitest'
import { type Answer, readAnswer } from './answer.js'
import { createLineSet } from './line-set.js'
import { wordsOf } from './words.js'

/** What an answer is read as, to a call with these arguments. */
const read = (output: unknown, { isError = false, args = {} as unknown } = {}): Answer =>
  readAnswer(output, isError, wordsOf('tool', args, 200), createLineSet()).answer

/** Whether the host, an exit code or its words say that something went wrong. */
const isUnhappy = ({ failed, claims }: Answer) => failed || claims

const sameAnswer = (one: unknown, other: unknown) => read(one).print === read(other).print
/** Whether nothing came back, or its words say that something was not found. */
const isMiss = ({ nothing, misses }: Answer) => nothing || misses

const sameError = (one: unknown, other: unknown) => read(one).loose === read(other).loose

describe('the same answer', () => {
  it.each([
    ['times', 'done at 10:04:31', 'done at 23:59:59'],
    ['dates', 'built 2026-04-01', 'built 2026-05-17'],
    ['ISO dates', 'at 2026-04-01T10:00:00Z ok', 'at 2026-04-02T11:30:12Z ok'],
    ['timestamps', 'started 1775037600', 'started 1775037999'],
    ['durations', 'finished in 12ms', 'finished in 340ms'],
    ['seconds', 'took 3.2 seconds', 'took 17.9 seconds'],
    ['seconds in short', 'Tests: 5 passed\nTime: 1.2 s', 'Tests: 5 passed\nTime: 3.4 s'],
    ['hashes', 'commit 8f3c00a1', 'commit 11ab9e02'],
    [
      'UUIDs',
      'run 3f2b8c1a-9d4e-4f6a-8b2c-1d3e5f7a9b0c',
      'run 7c1d2e3f-0a1b-4c2d-9e3f-5a6b7c8d9e0f',
    ],
    ['addresses', 'object at 0x7f3a1c', 'object at 0x55d0e8'],
    ['process numbers', 'worker pid 4711 up', 'worker pid 815 up'],
    ['ports', 'listening on port 40213', 'listening on port 51702'],
    ['temporary paths', 'wrote /tmp/tmpa8x2/out', 'wrote /tmp/tmpq1z9/out'],
    ['element numbers', '[12] button Save', '[97] button Save'],
    ['places in files', 'src/a.ts:12: unused', 'src/a.ts:40: unused'],
    ['colors', '\u001b[32mok\u001b[0m then', '\u001b[1;31mok\u001b[0m then'],
    ['white space', 'a  b\tc\nd', 'a b c\n  d  '],
    [
      'fields that are new each time',
      { id: 1, took_ms: 2, hit: 'a' },
      { id: 7, took_ms: 9, hit: 'a' },
    ],
    [
      'handles',
      'stored under key var_call_5369493714730577500',
      'stored under key var_call_9981866369658425805',
    ],
    ['capitals', 'File Not Found', 'file not found'],
    ['JSON as text', '{"hit":"a","request_id":"x1"}', { hit: 'a', request_id: 'y2' }],
  ])('does not mind %s', (_, one, other) => expect(sameAnswer(one, other)).toBe(true))

  it.each([
    ['words', 'the file is open', 'the file is closed'],
    ['counts', '3 failed, 9 passed', '2 failed, 10 passed'],
    ['percentages', 'built 40%', 'built 41%'],
    ['amounts', 'price: 12.50', 'price: 12.75'],
    ['versions', 'v1.2.3 is out', 'v1.2.4 is out'],
    ['lines', 'a\nb', 'a\nb\nc'],
    ['the order of words', 'a before b', 'b before a'],
    ['numbers that a short line is about', 'Step 2: build', 'Step 4: build'],
    ['exit codes', 'Process exited with code 1\nx', 'Process exited with code 2\nx'],
    ['fields', { state: 'open' }, { state: 'closed' }],
    ['names of fields', { left: 'x' }, { right: 'x' }],
  ])('minds %s', (_, one, other) => expect(sameAnswer(one, other)).toBe(false))

  it.each([
    ['content blocks', { content: [{ type: 'text', text: 'the text' }] }],
    ['a list of blocks', [{ text: 'the text' }]],
    ['what an older Codex puts', '{"output":"the text","metadata":{"exit_code":0}}'],
    ['a field for the output', { output: 'the text' }],
    ['a list written as JSON', '[{"name":"kim","city":"berlin"}]'],
  ])('does not mind %s around it', (_, output) => {
    expect(read(output).fresh).toBeGreaterThan(0)
    expect(read(output)).toMatchObject({ failed: false, claims: false, nothing: false })
  })
})

describe('what is news in an answer', () => {
  it.each([
    [
      { currency: 'EUR', balance: 12.5 },
      { currency: 'EUR', balance: 99.1 },
    ],
    [{ status: 200 }, { status: 404 }],
    ['42', '43'],
    ['total\n12', 'total\n13'],
  ])('are numbers, also without a word on their line: %j', (one, other) => {
    expect(read(one).news).not.toBe(read(other).news)
    expect(read(one).fresh).toBeGreaterThan(0)
  })

  it('are not the numbers of lines', () => {
    expect(read('  7→const a').news).toBe(read('  9→const a').news)
  })
})

describe('the same error', () => {
  it('does not mind numbers and quoted words', () => {
    expect(sameError('Error 3: no "a" in line 7', 'Error 9: no "b" in line 12')).toBe(true)
    expect(sameError("Error: it can't open 'a'", "Error: it can't open 'b'")).toBe(true)
    expect(sameError('Error: no disk', 'Error: no network')).toBe(false)
  })

  it('does not mind what the call said', () => {
    const error = (name: string) => read(`Error: no module ${name}`, { args: { name } }).unspoken
    expect(error('parser')).toBe(error('router'))
  })
})

describe('the name of an error', () => {
  const sameName = (one: unknown, other: unknown) => read(one).errorName === read(other).errorName

  it.each([
    [
      'the code that a traceback quotes',
      "Traceback (most recent call last):\n  File \"/tmp/a.py\", line 3, in <module>\n    total = rows + 1\nTypeError: unsupported operand type(s) for +: 'dict' and 'int'",
      "Traceback (most recent call last):\n  File \"/tmp/b.py\", line 71, in main\n    return count(x) + y\nTypeError: unsupported operand type(s) for +: 'list' and 'str'",
    ],
    [
      'quoted names',
      'Error: column "price" does not exist',
      'Error: column "amount" does not exist',
    ],
    ['paths', 'Error: cannot open src/a/b.ts', 'Error: cannot open lib/c.ts'],
    ['numbers', 'Error: line 12 is too long (140)', 'Error: line 7 is too long (121)'],
    [
      'the edit that a linter rejects',
      'Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked if applied\n1:  def load():',
      'Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked if applied\n9:  class Store:',
    ],
    [
      'columns of a table',
      "Error executing query: Unknown column 'T1.id' in 'field list'",
      "Error executing query: Unknown column 'name' in 'field list'",
    ],
    [
      'commands',
      '/bin/bash: line 3: javac: command not found',
      'bash: line 9: mvn: command not found',
    ],
    [
      'lines before the last of a traceback',
      'start\nTraceback (most recent call last):\n  ValueError: a\n\nDuring it:\nKeyError: 1',
      'Traceback (most recent call last):\n  File "b.py", line 2\nKeyError: 2',
    ],
    [
      'handles',
      'The tool query execution failed. The error message is:\n"exit code 1\\nSyntaxError: invalid syntax"',
      'Traceback (most recent call last):\nSyntaxError: invalid syntax',
    ],
  ])('does not mind %s', (_, one, other) => expect(sameName(one, other)).toBe(true))

  it('does not mind the words of the call', () => {
    const name = (word: string) => read(`Error: no module ${word}`, { args: { word } }).errorName
    expect(name('parser')).toBe(name('router'))
  })

  it.each([
    ['the text of a class', 'TypeError: x is null', 'TypeError: x is not a function'],
    [
      'what a plain exception says',
      'Traceback (most recent call last):\n  File "a.py"\nException: no disk',
      'Traceback (most recent call last):\n  File "a.py"\nException: no network',
    ],
    ['codes', 'a.ts(3,5): error TS2345: no', 'a.ts(9,2): error TS2322: no'],
    [
      'what a quoted line says',
      'The error message is:\n"no disk"',
      'The error message is:\n"no net"',
    ],
    ['the status of a request', 'HTTP 404', 'HTTP 500'],
    [
      'what a linter finds first',
      '[lint] $ lint .\nsrc/a.go:12:3: unused variable\n[lint] ERROR task failed',
      '[lint] $ lint .\nsrc/b.go:4:3: line is too long\n[lint] ERROR task failed',
    ],
    ['what fails, if nothing else is said', 'FAIL src/cart.test.ts', 'FAIL src/user.test.ts'],
    [
      'what is announced',
      'The edit has errors.\nERRORS:\n- F821 undefined name',
      'The edit has errors.\nERRORS:\n- E701 multiple statements',
    ],
  ])('minds %s', (_, one, other) => expect(sameName(one, other)).toBe(false))

  it('distinguishes errors from each other, and from success', () => {
    expect(sameName('TypeError: x is not a function', 'RangeError: x is too large')).toBe(false)
    expect(read('TypeError: x is not a function').errorName).not.toBe(0)
    expect(read('all 12 tests passed').errorName).toBe(0)
  })
})

describe('an answer', () => {
  it.each([
    'The file /src/a.ts has been updated successfully.',
    'Successfully wrote 12 lines to a.ts',
    'File created successfully at: /src/a.ts',
    'Edit applied successfully.',
    '[File updated (edited at line 12)]',
    'Done!',
    'Success. Updated the following files:\nM src/a.ts',
    'The file /src/a.ts has been edited. Here is the result of running `cat -n`:\n 1\tconst a = 1',
  ])('says that an edit was accepted: %s', (output) =>
    expect(read(output)).toMatchObject({ accepted: true, failed: false, claims: false }),
  )

  it.each(['Error: the file was not updated', 'const done = true', 'the file is open'])(
    'says nothing of an edit: %s',
    (output) => expect(read(output).accepted).toBe(false),
  )

  it.each([
    'No problems found',
    'healthy',
    'ok',
    'ok, nothing to do',
    'All checks passed!',
    '0 errors, 0 warnings',
    'valid',
    'up to date',
    'clean',
    { ok: true },
    '✔ No ESLint warnings or errors',
    'ok  \texample.com/cart\t0.492s',
    'nothing to commit, working tree clean',
  ])('is a verdict: %j', (output) => expect(read(output).verdict).toBe(true))

  it.each(['invalid', 'No results found', 'the ok button is in line 3', '(no output)'])(
    'is not a verdict: %s',
    (output) => expect(read(output).verdict).toBe(false),
  )

  it.each([
    '',
    '(Bash completed with no output)',
    '(no output)',
    'Tool ran without output or errors',
    'Your command ran successfully and did not produce any output.',
  ])('is silence: %j', (output) =>
    expect(read(output)).toMatchObject({
      silent: true,
      nothing: true,
      failed: false,
      claims: false,
    }),
  )

  it.each(['No results found', 'ok', '0'])('is more than silence: %s', (output) =>
    expect(read(output).silent).toBe(false),
  )

  it.each([
    ['[12]<button>Pay</button>', '[40]<button>Pay</button>'],
    ["[12] link 'Home'\n[13] button 'Pay'", "[7] link 'Home'\n[8] button 'Pay'"],
    ['RootWebArea "Shop"\nuid=1_7 button "Pay"', 'RootWebArea "Shop"\nuid=2_9 button "Pay"'],
  ])('shows the same screen: %s', (one, other) => {
    expect(read(one).screen).not.toBe(0)
    expect(read(one).screen).toBe(read(other).screen)
  })

  it('shows a screen to its end, the call that led to it aside', () => {
    const page = (code: string, last: string) =>
      `### Ran Playwright code\n${code}\n- Page URL: https://shop.example/\n${'- text: row\n'.repeat(800)}- text: ${last}`
    expect(read(page("click('a')", 'end')).screen).toBe(read(page("click('b')", 'end')).screen)
    expect(read(page("click('a')", 'end')).screen).not.toBe(
      read(page("click('a')", 'End 2')).screen,
    )
  })

  it('shows a screen, however its elements are numbered', () => {
    const page = (first: number, label: string) =>
      `- Page URL: https://shop.example/cart\n- Page Snapshot:\n  - button "${label}" [ref=e${first}]\n  - link "Home" [ref=e${first + 1}]`
    expect(read(page(12, 'Pay')).screen).not.toBe(0)
    expect(read(page(12, 'Pay')).screen).toBe(read(page(40, 'Pay')).screen)
    expect(read(page(12, 'Pay')).screen).not.toBe(read(page(12, 'Paid')).screen)
    expect(read('const url = 1').screen).toBe(0)
    expect(read('const first = list[0]').screen).toBe(0)
  })

  it.each([
    'Error: ENOENT, no such file',
    'Traceback (most recent call last):\n  File "a.py"',
    'fatal: not a git repository',
    'Permission denied',
    'Your edit has 2 error(s)',
    'Usage: edit <start_line>:<end_line>',
    "Model tried to call unavailable tool 'deploy'",
    'the tool deploy is not available',
    'EXECUTION TIMED OUT',
    'all good\n[The command completed with exit code 1.]',
    'the command failed\nexit code: 2',
    'HTTP 404',
    'Process exited with code 1',
    'exit status 2',
    'RuntimeError: no running loop',
    'java.io.IOException: stream closed',
    { is_error: true, content: 'x' },
    { content: [{ type: 'text', text: '{"success":false,"reason":"no such user"}' }] },
    '{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}',
    { success: false },
    { exit_code: 1, output: 'x' },
    { status: 'failed' },
    { error: 'no such table' },
  ])('is an error: %j', (output) => expect(isUnhappy(read(output))).toBe(true))

  it.each([
    'all 12 tests passed',
    'Found 0 errors',
    'no errors',
    'Error: (none)',
    'exit code: 0',
    { ok: true },
    '{"output":"Error: x","metadata":{"exit_code":0,"duration_seconds":0.1}}',
    { exit_code: 0, output: 'fine' },
    `# Notes\n${'If an error comes, read it. '.repeat(20)}`,
    'error_handler.ts saved',
    'Process exited with code 0',
    'errors: None',
    'Found forbidden words: None',
    'Errors: 0, warnings: 3',
    'No ESLint warnings or errors',
    'Tool ran without output or errors',
    'src/errors/error.ts: 12 lines',
    'src/a.go:9:func load() error {',
    '  7→return error',
    '<returncode>0</returncode>\n<output>\nError: this is what the test prints\n</output>',
    { success: true, output: 'Error: this is what the page says' },
    'translations: 0 missing keys',
    'class RuntimeError extends Base',
    'src/a.ts:3: throw new Error(reason)',
    'src/a.ts:9: } catch (error) {',
    "12: throw new ValidationError('invalid name')",
  ])('is no error: %j', (output) => expect(isUnhappy(read(output))).toBe(false))

  it('is not an error if the call asked how to call a tool', () => {
    const args = { command: 'deploy --help' }
    expect(isUnhappy(read('Usage: deploy [options]', { args }))).toBe(false)
  })

  it('failed if the host says so', () => {
    expect(read('whatever', { isError: true })).toMatchObject({ failed: true, claims: false })
  })

  it.each([
    'all good\n[The command completed with exit code 1.]',
    'Process exited with code 1',
    'exit status 2',
    { is_error: true, content: 'x' },
    { success: false },
    { exit_code: 1, output: 'x' },
    '{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}',
  ])('failed, as the tool or an exit code says: %j', (output) =>
    expect(read(output)).toMatchObject({ failed: true, claims: false }),
  )

  it.each(['Permission denied', 'RuntimeError: no loop', { status: 'failed' }, { error: 'x' }])(
    'begins with an error, which may be what was looked at: %j',
    (output) =>
      expect(read(output)).toMatchObject({
        failed: false,
        claims: true,
        begins: true,
        speaks: false,
      }),
  )

  it('is the tool speaking if it names what was asked for, or is a refusal that is known', () => {
    const args = { path: 'src/cart.ts' }
    expect(read('Error: cannot read src/cart.ts', { args }).speaks).toBe(true)
    expect(read('Error: cannot read src/cart.ts').speaks).toBe(false)
    expect(read('Unknown tool: deploy')).toMatchObject({ speaks: true, unusable: true })
  })

  it('does not speak or begin with an error if it is long', () => {
    const answer = read(`Error: no disk\n${'the next line of a page\n'.repeat(60)}`)
    expect(answer).toMatchObject({ claims: true, begins: false, speaks: false })
  })

  it.each(['timeout: 30', 'retries: 3\ntimeout: 30', '"timeout": 30'])(
    'only mentions what could be an outage: %s',
    (output) => expect(read(output)).toMatchObject({ failed: false, claims: false, outage: false }),
  )

  it.each([
    '429 Too Many Requests',
    'Error: connect ECONNREFUSED',
    '503 Service Unavailable',
    'Request timeout',
  ])('tells of an outage: %s', (output) => expect(read(output).outage).toBe(true))

  it('does not take a text about an outage for one', () => {
    expect(read(`# Manual\n${'The service may be unavailable. '.repeat(40)}`).outage).toBe(false)
    expect(read('Error: no such file').outage).toBe(false)
    expect(read("Error: tried to call unavailable tool 'deploy'").outage).toBe(false)
  })

  it.each([
    '',
    null,
    undefined,
    [],
    {},
    '   \n',
    'No results found',
    'No matches',
    'nothing',
    'file not found',
  ])('says nothing: %j', (output) => expect(isMiss(read(output))).toBe(true))

  it.each([
    'nothing to commit, working tree clean',
    'On branch main\nChanges not staged for commit:\n  modified: a.ts\n  modified: b.ts\n\nno changes added to commit',
    '06fd2be72dff56953c7303f99fcd6e071c12102e',
  ])('does not say that there is nothing: %j', (output) => expect(isMiss(read(output))).toBe(false))

  it.each(['No problems found', 'no issues found.', 'found 0 vulnerabilities', 'Without errors'])(
    'says that all is well: %s',
    (output) =>
      expect(read(output)).toMatchObject({
        nothing: false,
        misses: false,
        failed: false,
        claims: false,
      }),
  )

  it.each(['src/a.ts: a hit', false, ['x'], { results: [], hint: 'try other words' }])(
    'says something: %j',
    (output) => expect(isMiss(read(output))).toBe(false),
  )

  it.each(['', null, [], '[]', '0', { results: [] }, '{"results":[]}', { hits: [], total: 0 }])(
    'is empty: %j',
    (output) => expect(read(output)).toMatchObject({ nothing: true, failed: false, claims: false }),
  )

  it.each(['No results found', 'No matches', '(0 rows)', 'Found 0 matches', 'file not found'])(
    'says that something is missing: %s',
    (output) => expect(read(output)).toMatchObject({ nothing: false, misses: true }),
  )

  it.each([
    'The build is still running',
    { state: 'queued' },
    'Status: PENDING',
    { status: 'in_progress' },
  ])('tells that something goes on: %j', (output) => expect(read(output).pending).toBe(true))

  it('that has ended does not go on', () => {
    expect(read('Running the tests\nProcess exited with code 0').pending).toBe(false)
  })

  it('that failed does not go on', () => {
    expect(read('Error: no process is running').pending).toBe(false)
    expect(read(`${'a long text about a running river '.repeat(30)}`).pending).toBe(false)
  })

  it('that repeats the call says nothing new', () => {
    const args = { command: 'echo "remember the parser first"' }
    const answer = read('remember the parser first', { args })
    expect(answer).toMatchObject({ echoed: true, newsWords: 0, fresh: 0 })
    expect(read('the parser is broken beyond repair', { args }).echoed).toBe(false)
  })

  it('counts the lines that are new', () => {
    const seen = createLineSet()
    const echo = wordsOf('tool', {}, 200)
    expect(readAnswer('one line\nother line', false, echo, seen).answer).toMatchObject({
      lines: 2,
      fresh: 2,
    })
    expect(readAnswer('other line\nthird line', false, echo, seen).answer).toMatchObject({
      lines: 2,
      fresh: 1,
    })
  })

  it('knows a line again when another number stands in front of it', () => {
    const seen = createLineSet()
    const echo = wordsOf('tool', {}, 200)
    readAnswer('12\tconst a = load()', false, echo, seen)
    expect(readAnswer('40\tconst a = load()', false, echo, seen).answer.fresh).toBe(0)
  })

  it('may be large, deep or cyclic', () => {
    const cyclic: Record<string, unknown> = { name: 'x' }
    cyclic.self = cyclic
    let deep: unknown = 'bottom'
    for (let i = 0; i < 10_000; i++) deep = { deep }
    for (const output of [
      cyclic,
      deep,
      'x '.repeat(1e6),
      new Array(1e5).fill('line'),
      '{'.repeat(5000),
    ]) {
      expect(read(output).print).toBe(read(output).print)
    }
  })

  it('is identified by its beginning and its end', () => {
    const body = 'the same line\n'.repeat(2000)
    expect(sameAnswer(`${body}done`, `${body}failed`)).toBe(false)
    expect(sameAnswer(`first ${body}`, `other ${body}`)).toBe(false)
  })
})
