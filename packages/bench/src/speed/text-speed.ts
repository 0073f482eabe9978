import { prose } from '../prose.js'
import { createRandom } from '../random.js'
import type { Contender } from './contenders.js'
import { cutDeltas } from './material.js'
import { type Timing, type Trial, timeInterleaved } from './stopwatch.js'

export interface TextSpeed {
  characters: number
  deltaSize: number
  timings: Timing[]
  /** contenders that raised an alarm on ordinary prose */
  alarms: string[]
}

const textSizes = [1_000_000, 5_000_000]
const deltaSizes = [4, 20, 200]

// enough to fill the 5,000 characters of history after which the published classes reach their steady cost
const slowWarmUpCharacters = 6_000
// they take up to 84 µs per character: about a second each round
const slowCharacters: Record<number, number> = { 4: 6_000, 20: 20_000, 200: 60_000 }

export const slowSlice = (deltaSize: number) => slowCharacters[deltaSize] ?? 20_000

export function measureText(contenders: readonly Contender[], seed: number): TextSpeed[] {
  return textSizes.flatMap((characters, index) => {
    const text = prose(createRandom(seed), characters)
    // the published classes cost the same per character however long the text, so once is enough
    const taking = contenders.filter((contender) => index === 0 || !contender.slow)
    return deltaSizes.map((deltaSize) => measureOne(taking, text, deltaSize))
  })
}

function measureOne(contenders: readonly Contender[], text: string, deltaSize: number): TextSpeed {
  const deltas = cutDeltas(text, deltaSize)
  const alarms = new Set<string>()
  const warmUp = deltas.slice(0, Math.ceil(slowWarmUpCharacters / deltaSize))
  const slice = deltas.slice(warmUp.length, warmUp.length + slowSlice(deltaSize) / deltaSize)
  const trials = contenders.map((contender): Trial => {
    const part = contender.slow ? slice : deltas
    return {
      name: contender.name,
      units: contender.slow ? slowSlice(deltaSize) : text.length,
      prepare() {
        const feed = contender.startText()
        if (contender.slow) feed(warmUp)
        return () => {
          if (feed(part)) alarms.add(contender.name)
        }
      },
    }
  })
  return {
    characters: text.length,
    deltaSize,
    timings: timeInterleaved(trials, 5),
    alarms: [...alarms],
  }
}
