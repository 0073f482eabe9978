import { cutAtRandom } from '../../cut.js'
import { sentence } from '../../prose.js'
import type { Evidence, Stage } from '../case.js'
import { startWorking } from '../work.js'

export interface Chant {
  /** ordinary words before it starts */
  opening?: string
  /** the text of lap `count`, from 1 */
  unit(count: number): string
  /** evident at the end of this lap, but not before so many characters */
  evidentLaps?: number
  evidentCharacters?: number
  channel?: 'text' | 'reasoning'
}

/** A message that gets stuck: evident at the sixth repeat or after 900 characters, whichever is later. */
export function writeChant(stage: Stage, chant: Chant): Evidence {
  const { random } = stage
  const { evidentLaps = 6, evidentCharacters = 900, channel = 'text' } = chant
  let text = chant.opening ?? (random.chance(0.6) ? `${sentence(random)} ` : '')
  const start = text.length
  const ends = [start]
  const rest = random.int(800, 4000)
  for (let count = 1; ; count++) {
    text += chant.unit(count)
    ends.push(text.length)
    const length = text.length - start
    if (count > evidentLaps + 2 && length > evidentCharacters + rest) break
  }
  const evident = Math.max(ends[evidentLaps] as number, start + evidentCharacters)
  const at = writeText(stage, text, channel)
  return { evidentAt: at(evident - 1), secondRepeatAt: at(ends[2] as number) }
}

/** One message in deltas cut at random; what it returns gives the number of the event that holds a character. */
export function writeText(
  stage: Stage,
  text: string,
  type: 'text' | 'reasoning' = 'text',
): (character: number) => number {
  const { random, trace } = stage
  startWorking(stage, random.chance(0.3) ? random.int(1, 4) : 0)
  trace.add({ type: 'turn-start' })
  const mean = random.pick([3, 4, 6, 12, 20, 20, 60, 200, 1000])
  const ends: number[] = []
  const first = trace.events.length
  let length = 0
  for (const delta of cutAtRandom(random, text, mean)) {
    trace.add({ type, text: delta })
    length += delta.length
    ends.push(length)
  }
  trace.add({ type: 'turn-end' })
  return (character) => first + ends.findIndex((end) => end > character)
}
