import { prose, thing } from '../../prose.js'
import type { Random } from '../../random.js'
import type { LookalikeKind } from '../case.js'
import { symbol } from '../code.js'
import { clock, stamp } from '../outputs.js'
import { people, stems } from '../tables/names.js'
import { rows } from './rows.js'
import { writeText } from './write-text.js'

/** Data: regular by nature. */
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
