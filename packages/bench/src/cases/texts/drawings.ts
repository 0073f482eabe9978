import { prose, thing } from '../../prose.js'
import type { Random } from '../../random.js'
import type { LookalikeKind } from '../case.js'
import { codeLines, symbol } from '../code.js'
import { folders, stems, subjects } from '../tables/names.js'
import { rows } from './rows.js'
import { writeText } from './write-text.js'

/** Drawings, lists and markup: regular by nature too. */
export const drawingLookalikes: readonly LookalikeKind[] = (
  [
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
