import type { Random } from '../../random.js'
import { people, stems, subjects } from './names.js'

/** How databases, browsers, searches and servers answer, as their programs word it. */
export const databases = [
  {
    tool: { name: 'execute_sql', key: 'query' },
    unknownColumn: (column: string, sql: string) =>
      `ERROR:  column "${column}" does not exist\nLINE 1: ${sql}\n               ^`,
    nothing: '(0 rows)',
    rows: (lines: readonly string[]) =>
      ` id | name\n----+------\n${lines.join('\n')}\n(${lines.length} rows)`,
  },
  {
    tool: { name: 'query_db', key: 'query' },
    unknownColumn: (column: string) => `Error: in prepare, no such column: ${column}`,
    nothing: '[]',
    rows: (lines: readonly string[]) => JSON.stringify(lines.map((line) => ({ row: line }))),
  },
  {
    tool: { name: 'run_query', key: 'sql' },
    unknownColumn: (column: string) =>
      `ERROR 1054 (42S22): Unknown column '${column}' in 'field list'`,
    nothing: 'Empty set (0.00 sec)',
    rows: (lines: readonly string[]) =>
      `${lines.join('\n')}\n${lines.length} rows in set (0.01 sec)`,
  },
] as const

/** The frame of agents that keep every result under a name of its own. */
export const stored = (random: Random, tool: string, result: string) =>
  `\nThe tool ${tool} was executed successfully.\n\nThe result is stored under key:\nvar_call_${random.int(1e9, 9e9)}${random.int(1e8, 9e8)}\n\nThe result is:\n${result}\n`

export const emptySearches = [
  '[]',
  'No results found.',
  '{"results": [], "total": 0}',
  'No good search result was found.',
  'Your search did not match any documents.',
  '',
] as const

/** An article that is not there, as an encyclopedia says it: what is similar differs each time. */
export const noArticle = (random: Random, title: string) =>
  `Could not find [${title}]. Similar: [${random
    .sample(subjects, 5)
    .map((subject) => `'${subject}'`)
    .join(', ')}].`

/** What a browser tool shows after an action; the references are new with each snapshot. */
export function pageShown(random: Random, code: string, url: string, lines: readonly string[]) {
  const first = random.int(2, 400)
  return [
    '### Ran Playwright code',
    '```js',
    code,
    '```',
    '',
    '### Page state',
    `- Page URL: ${url}`,
    '- Page Title: Shop',
    '- Page Snapshot:',
    '```yaml',
    ...lines.map((line, index) => `- ${line} [ref=e${first + index}]`),
    '```',
  ].join('\n')
}

export const clickTimeout = (name: string) =>
  `### Result\nError: locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: '${name}' })`

export const invalidArguments = (tool: string, wanted: string) =>
  `MCP error -32602: Invalid arguments for tool ${tool}: [\n  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "undefined",\n    "path": ["${wanted}"],\n    "message": "Required"\n  }\n]`

/** A record of a common shape. */
export const record = (random: Random, id: string) =>
  JSON.stringify({
    id,
    owner: random.pick(people),
    status: random.pick(['open', 'closed', 'pending', 'escalated']),
    subject: `${random.pick(stems)} ${random.pick(stems)}`,
    amount: random.int(100, 99_000) / 100,
    updated: `2026-0${random.int(1, 9)}-${random.int(10, 28)}`,
  })
