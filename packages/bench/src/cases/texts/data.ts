import { prose, thing } from '../../prose.js'
import type { Random } from '../../random.js'
import type { LookalikeKind } from '../case.js'
import { codeLines, symbol } from '../code.js'
import { clock, stamp } from '../outputs.js'
import { folders, people, stems, subjects } from '../tables/names.js'
import { writeText } from './write-text.js'

/** Data and drawings: regular by nature. */
export const dataLookalikes: readonly LookalikeKind[] = (
  [
    [
      'table',
      (random) =>
        rows(
          random,
          30,
          120,
          () =>
            `| ${random.pick(people)} | ${random.int(0, 99)} | ${random.pick(['yes', 'no', '–'])} | ${thing(random)} |`,
          '| name | age | member | remark |\n| --- | ---: | --- | --- |',
        ),
    ],
    [
      'table-of-zeros',
      (random) =>
        rows(
          random,
          30,
          100,
          (row) => `| ${row} | 0 | 0 | 0 | ${random.chance(0.1) ? 1 : 0} | 0 |`,
          '| id | a | b | c | d | e |\n|---|---|---|---|---|---|',
        ),
    ],
    [
      'csv',
      (random) =>
        rows(
          random,
          60,
          200,
          (row) =>
            `${row},${random.pick(people)},${random.int(1, 9999)},${random.int(0, 100) / 10},${stamp(random).slice(0, 10)}`,
          'id,name,amount,rate,day',
        ),
    ],
    [
      'csv-of-zeros',
      (random) =>
        rows(
          random,
          60,
          140,
          (row) => `${row},0,0,0,0,${random.chance(0.05) ? random.int(1, 9) : 0},0,0`,
          'id,a,b,c,d,e,f,g',
        ),
    ],
    [
      'json-array',
      (random) =>
        JSON.stringify(
          Array.from({ length: random.int(30, 80) }, (_, id) => ({
            id,
            name: random.pick(people),
            active: random.chance(0.5),
            tags: [],
          })),
          null,
          2,
        ),
    ],
    [
      'json-equal-objects',
      (random) =>
        JSON.stringify(
          Array.from({ length: random.int(20, 60) }, () => ({
            x: 0,
            y: 0,
            visible: true,
            colour: null,
          })),
          null,
          random.pick([0, 2]),
        ),
    ],
    [
      'yaml',
      (random) =>
        rows(
          random,
          20,
          60,
          (row) =>
            `  - name: ${random.pick(stems)}-${row}\n    image: registry.example/${random.pick(stems)}:${random.int(1, 9)}.${random.int(0, 20)}\n    ports:\n      - containerPort: ${random.int(3000, 9999)}\n    restartPolicy: Always`,
          'services:',
        ),
    ],
    [
      'hex-dump',
      (random) =>
        rows(
          random,
          40,
          120,
          (row) =>
            `${(row * 16).toString(16).padStart(8, '0')}  ${Array.from({ length: 16 }, () => (random.chance(0.2) ? random.hex(2) : '00')).join(' ')}  |................|`,
        ),
    ],
    [
      'hex-dump-of-zeros',
      (random) =>
        rows(
          random,
          30,
          70,
          (row) =>
            `${(row * 16).toString(16).padStart(8, '0')}: 0000 0000 0000 0000 0000 0000 0000 0000  ................`,
        ),
    ],
    [
      'base64',
      (random) =>
        rows(random, 20, 60, () =>
          Array.from({ length: 76 }, () =>
            random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/']),
          ).join(''),
        ),
    ],
    [
      'box-drawing',
      (random) =>
        `┌${'─'.repeat(38)}┐\n${rows(random, 12, 26, () => `│${' '.repeat(38)}│`)}\n└${'─'.repeat(38)}┘\n`,
    ],
    [
      'menu-drawing',
      (random) =>
        `╔${'═'.repeat(30)}╗\n${rows(random, 8, 20, () => `║ [ ] ${thing(random).padEnd(24)}║`)}\n╚${'═'.repeat(30)}╝`,
    ],
    [
      'ruler',
      (random) =>
        `${prose(random, 200)}\n\n${random.pick(['-', '=', '─', '*', '_', '#']).repeat(random.int(80, 400))}\n\n${prose(random, 300)}`,
    ],
    [
      'dots',
      (random) =>
        rows(
          random,
          10,
          30,
          (row) =>
            `${thing(random)} ${'.'.repeat(random.int(20, 60))} ${row * 3 + random.int(0, 2)}`,
          'Contents\n',
        ),
    ],
    [
      'progress',
      (random) =>
        rows(
          random,
          20,
          50,
          (row) => `[${'#'.repeat(row % 50).padEnd(50)}] ${Math.min(100, row * 2)}%`,
        ),
    ],
    [
      'path-list',
      (random) =>
        rows(
          random,
          30,
          90,
          () =>
            `${random.pick(folders)}/${random.pick(stems)}/${random.pick(stems)}.${random.pick(['ts', 'py', 'go'])}`,
        ),
    ],
    [
      'long-common-prefix',
      (random) => {
        const prefix = `/home/build/agent/workspace/monorepo/packages/${random.pick(stems)}/src/`
        return rows(random, 20, 60, () => `${prefix}${random.pick(stems)}-${random.hex(4)}.ts`)
      },
    ],
    [
      'log',
      (random) =>
        rows(
          random,
          40,
          120,
          () =>
            `${stamp(random)} ${random.pick(['INFO', 'WARN', 'DEBUG'])} [${random.pick(stems)}] ${random.pick(['request served', 'cache miss', 'slow query', 'connection opened'])} id=${random.hex(8)} in ${random.int(1, 900)} ms`,
        ),
    ],
    [
      'log-like-lines',
      (random) =>
        rows(random, 15, 40, () => `[${clock(random)}] GET /health 200 ${random.int(1, 9)}ms`),
    ],
    [
      'sql-inserts',
      (random) =>
        rows(
          random,
          30,
          80,
          (row) =>
            `INSERT INTO orders (id, customer, total) VALUES (${row}, '${random.pick(people)}', ${random.int(1, 999)}.${random.int(10, 99)});`,
        ),
    ],
    [
      'multiplication',
      (random) =>
        rows(random, 12, 20, (row) =>
          Array.from({ length: 12 }, (_, column) => String((column + 1) * row).padStart(4)).join(
            '',
          ),
        ),
    ],
    [
      'html-options',
      (random) =>
        rows(
          random,
          30,
          90,
          (row) => `  <option value="${row}">${thing(random)}</option>`,
          '<select name="thing">',
        ),
    ],
    [
      'svg',
      (random) =>
        rows(
          random,
          30,
          80,
          () =>
            `<circle cx="${random.int(0, 800)}" cy="${random.int(0, 600)}" r="${random.int(1, 9)}" fill="#${random.hex(6)}"/>`,
          '<svg viewBox="0 0 800 600">',
        ),
    ],
    [
      'diff',
      (random) =>
        rows(
          random,
          20,
          60,
          (row) =>
            `@@ -${row * 9},2 +${row * 9},2 @@\n-  const ${symbol(random)} = ${random.int(0, 99)}\n+  let ${symbol(random)} = ${random.int(0, 99)}`,
        ),
    ],
    [
      'translations',
      (random) =>
        JSON.stringify(
          Object.fromEntries(
            Array.from({ length: random.int(40, 90) }, () => [
              symbol(random),
              { message: thing(random), description: '' },
            ]),
          ),
          null,
          2,
        ),
    ],
    [
      'number-sequence',
      (random) =>
        Array.from({ length: random.int(200, 600) }, (_, index) => index * random.pick([1])).join(
          ', ',
        ),
    ],
    [
      'class-fields',
      (random) =>
        rows(
          random,
          25,
          60,
          () =>
            `  private readonly ${random.pick(subjects).toLowerCase()}${random.hex(2)}: ${random.pick(subjects)} | null = null`,
          'export class Holder {',
        ),
    ],
    [
      'file-of-code',
      (random) => `\`\`\`ts\n${codeLines(random, 'ts', random.int(80, 300)).join('\n')}\n\`\`\``,
    ],
  ] satisfies readonly (readonly [string, (random: Random) => string])[]
).map(([kind, make]) => ({
  kind,
  write(stage) {
    writeText(
      stage,
      `${prose(stage.random, stage.random.int(20, 200))}:\n\n${make(stage.random)}\n`,
    )
  },
}))

function rows(
  random: Random,
  least: number,
  most: number,
  row: (index: number) => string,
  heading?: string,
): string {
  const lines = Array.from({ length: random.int(least, most) }, (_, index) => row(index + 1))
  return [...(heading === undefined ? [] : [heading]), ...lines].join('\n')
}
