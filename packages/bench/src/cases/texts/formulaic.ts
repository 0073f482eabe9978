import { paragraph, prose, sentence, thing } from '../../prose.js'
import type { Random } from '../../random.js'
import { nouns } from '../../words.js'
import type { LookalikeKind } from '../case.js'
import { statement, symbol } from '../code.js'
import { cjkWords } from '../tables/cjk.js'
import { people, subjects } from '../tables/names.js'
import { writeText } from './write-text.js'

/** Ordinary writing with formulas, refrains and repeated clauses. */
export const formulaicLookalikes: readonly LookalikeKind[] = (
  [
    ['prose', (random) => prose(random, random.int(4000, 20000))],
    ['licence', licence],
    [
      'contract',
      (random) =>
        repeat(
          random,
          8,
          16,
          (count) =>
            `${count}.${random.int(1, 4)} The ${random.pick(nouns)} shall not, without the prior written consent of the ${random.pick(nouns)}, ${sentence(random).toLowerCase()} This clause survives the end of the agreement.\n`,
        ),
    ],
    ['poem-with-refrain', poem],
    [
      'song',
      (random) => {
        const refrain = `${sentence(random)}\n${sentence(random)}\n`
        return repeat(
          random,
          3,
          5,
          () => `${repeat(random, 4, 4, () => `${sentence(random)}\n`)}\n${refrain}${refrain}\n`,
        )
      },
    ],
    [
      'litany',
      (random) =>
        repeat(
          random,
          8,
          14,
          () =>
            `For the ${thing(random)}, for the ${thing(random)} that ${sentence(random).toLowerCase().slice(2, 50)}, we give thanks.\n`,
        ),
    ],
    [
      'counting-song',
      (random) => {
        const what = random.pick(nouns)
        return repeat(
          random,
          8,
          12,
          (count) =>
            `${14 - count} green ${what}s, sitting on the wall.\nIf one of them should fall, there will be ${13 - count} ${what}s.\n${sentence(random)}\n\n`,
        )
      },
    ],
    [
      'equal-asserts',
      (random) =>
        `${repeat(random, 8, 12, () => 'assert(result.isValid() === true, "valid")\n')}${prose(random, 300)}`,
    ],
    [
      'like-asserts',
      (random) =>
        repeat(
          random,
          20,
          50,
          () => `expect(${symbol(random)}(${random.int(0, 99)})).toBe(${random.int(0, 999)})\n`,
        ),
    ],
    [
      'like-functions',
      (random) =>
        `\`\`\`ts\n${repeat(random, 20, 60, () => {
          const name = random.pick(subjects) + random.hex(2)
          return `export function get${name}(store: Store): ${name} {\n  return store.read('${name}') as ${name}\n}\n\n`
        })}\`\`\``,
    ],
    [
      'getters',
      (random) =>
        repeat(random, 15, 40, () => {
          const name = random.pick(subjects)
          return `  public String get${name}${random.hex(2)}() {\n    return this.${name.toLowerCase()};\n  }\n\n`
        }),
    ],
    [
      'changelog',
      (random) =>
        repeat(
          random,
          10,
          25,
          (count) =>
            `## 1.${30 - count}.0\n\n### Fixed\n\n- ${sentence(random)}\n- ${sentence(random)}\n\n### Added\n\n- ${sentence(random)}\n\n`,
        ),
    ],
    [
      'sections-of-one-shape',
      (random) =>
        repeat(
          random,
          6,
          14,
          () =>
            `### ${thing(random)}\n\n**What it does.** ${paragraph(random, 2)}\n\n**When to use it.** ${sentence(random)}\n\n**See also.** ${thing(random)}\n\n`,
        ),
    ],
    [
      'recipe-steps',
      (random) =>
        repeat(
          random,
          8,
          20,
          (count) =>
            `${count}. Take the ${thing(random)}, put it into the bowl and stir for ${random.int(1, 20)} minutes.\n`,
        ),
    ],
    [
      'dialogue',
      (random) =>
        repeat(random, 15, 40, () => `"${sentence(random)}" said ${random.pick(people)}.\n`),
    ],
    [
      'questions-and-answers',
      (random) =>
        repeat(random, 8, 20, () => `**Q: ${sentence(random)}**\n\nA: ${paragraph(random, 2)}\n\n`),
    ],
    [
      'api-reference',
      (random) =>
        repeat(
          random,
          10,
          25,
          () =>
            `#### \`${symbol(random)}(${random.pick(subjects).toLowerCase()})\`\n\nReturns: \`Promise<${random.pick(subjects)}>\`\n\nThrows: \`RangeError\` if the argument is not valid. ${sentence(random)}\n\n`,
        ),
    ],
    [
      'checklist',
      (random) =>
        repeat(random, 12, 30, () => `- [${random.pick([' ', 'x'])}] ${sentence(random)}\n`),
    ],
    [
      'cjk-prose',
      (random) =>
        repeat(random, 40, 120, () => `${repeat(random, 6, 16, () => random.pick(cjkWords))}。`),
    ],
    [
      'switch-cases',
      (random) =>
        repeat(
          random,
          15,
          40,
          () =>
            `    case '${symbol(random)}':\n      return ${statement(random, 'ts').slice(0, 40)}\n`,
        ),
    ],
    [
      'code-then-explanation',
      (random) =>
        repeat(
          random,
          3,
          6,
          () =>
            `\`\`\`ts\n${statement(random, 'ts')}\n${statement(random, 'ts')}\n\`\`\`\n\n${paragraph(random, 2)}\n\n`,
        ),
    ],
    [
      'imports',
      (random) =>
        repeat(
          random,
          15,
          40,
          () => `import { ${symbol(random)} } from '@app/components/${symbol(random)}'\n`,
        ),
    ],
  ] satisfies readonly (readonly [string, (random: Random) => string])[]
).map(([kind, make]) => ({
  kind,
  write(stage) {
    writeText(stage, `${sentence(stage.random)}\n\n${make(stage.random)}`)
  },
}))

function repeat(
  random: Random,
  least: number,
  most: number,
  part: (count: number) => string,
): string {
  return Array.from({ length: random.int(least, most) }, (_, index) => part(index + 1)).join('')
}

function licence(random: Random): string {
  const holders = random.sample(people, random.int(3, 5))
  const grant = `Permission is granted, free of charge, to anyone who obtains a copy of the ${random.pick(nouns)}, to use, copy, change and pass it on, provided that this notice is kept in all copies.`
  const warranty = `It is provided as it is, without any warranty, neither of fitness for a purpose nor of freedom from defects of the ${random.pick(nouns)}.`
  return holders
    .map(
      (holder) =>
        `Copyright (c) 20${random.int(10, 26)} ${holder}\n\n${grant}\n\n${warranty}\n\n${prose(random, random.int(100, 600))}\n\n`,
    )
    .join('')
}

function poem(random: Random): string {
  const refrain = sentence(random)
  return repeat(
    random,
    4,
    8,
    () =>
      `${sentence(random)}\n${sentence(random)}\n${refrain}\n${sentence(random)}\n${refrain}\n\n`,
  )
}
