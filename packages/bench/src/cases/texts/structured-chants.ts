import { prose, sentence, thing } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { codeLines, statement, symbol } from '../code.js'
import { writeChant } from './write-text.js'

const usual = 'the sixth repeat or 900 characters, whichever is later'

/** Chants that hide in lists, headings, quotes and code. */
export const structuredChantLoops: readonly LoopKind[] = [
  {
    kind: 'chant-bullets',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = `${random.pick(['- ', '* ', '+ ', '• '])}${prose(random, random.int(12, 120))}\n`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-same-number',
    evident: usual,
    write(stage) {
      const unit = `1. ${prose(stage.random, stage.random.int(12, 120))}\n`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-heading',
    evident: usual,
    write(stage) {
      const { random } = stage
      const body = random.chance(0.5) ? `${sentence(random)}\n\n` : ''
      const unit = `${'#'.repeat(random.int(1, 4))} ${thing(random)} and ${thing(random)}\n\n${body}`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-quote',
    evident: usual,
    write(stage) {
      const unit = `> ${sentence(stage.random)}\n${stage.random.pick(['', '>\n', '\n'])}`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-function',
    evident: usual,
    write(stage) {
      const { random, world } = stage
      const unit = `${codeLines(random, world.language, random.int(6, 24)).join('\n')}\n\n`
      const fence = random.chance(0.7) ? `Here is the file:\n\`\`\`${world.language}\n` : ''
      return writeChant(stage, { unit: () => unit, opening: fence })
    },
  },
  {
    kind: 'chant-code-line',
    evident: 'the twentieth repeat of one line of code or 1,500 characters, whichever is later',
    write(stage) {
      const { random, world } = stage
      const unit = `${random.pick(['', '    ', '\t'])}${statement(random, world.language)}\n`
      const fence = `The change:\n\`\`\`${world.language}\n${symbol(random)}()\n`
      return writeChant(stage, {
        unit: () => unit,
        opening: fence,
        evidentLaps: 20,
        evidentCharacters: 1500,
      })
    },
  },
  {
    kind: 'chant-counter',
    evident:
      'the eighth repeat or 1,200 characters, whichever is later; a number counts up in each',
    write(stage) {
      const { random } = stage
      const [head, tail] = [prose(random, random.int(20, 120)), prose(random, random.int(10, 80))]
      const step = random.pick([1, 1, 2, 5])
      let number = random.int(1, 900)
      return writeChant(stage, {
        unit() {
          number += step
          return `${head} ${number} ${tail}.${random.pick(['\n'])}`
        },
        evidentLaps: 8,
        evidentCharacters: 1200,
      })
    },
  },
  {
    kind: 'chant-clock',
    evident:
      'the eighth repeat or 1,200 characters, whichever is later; a time of day changes in each',
    write(stage) {
      const { random } = stage
      const body = prose(random, random.int(40, 160))
      let minutes = random.int(0, 700)
      return writeChant(stage, {
        unit() {
          minutes += random.int(1, 3)
          const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
          return `At ${time} I checked again: ${body}. `
        },
        evidentLaps: 8,
        evidentCharacters: 1200,
      })
    },
  },
]
