import type { DetectorReport, Pressure } from '../detector.js'
import { redact } from '../reading/redact.js'
import type { AgentLog } from '../rounds/log.js'
import { toPressure } from '../rounds/rounds.js'
import { addToChant, createChant, resetChant } from '../text/chant.js'
import { type ChantOptions, lapLimit } from '../text/chant-limits.js'
import type { Chant, Repeat } from '../text/chant-state.js'

/** A stream of text that is watched for chants: visible text, or thoughts. */
export interface Channel {
  chant: Chant | undefined
  /** number of the event that started this text; -1 before any */
  since: number
  /** the limits for this text */
  limits?: ChantOptions | undefined
}

export const startChannel = (): Channel => ({ chant: undefined, since: -1, limits: undefined })

/** Starts over for the next text. */
export function endText(channel: Channel): void {
  if (channel.since < 0 || !channel.chant) return
  resetChant(channel.chant)
  channel.since = -1
  channel.limits = undefined
}

/** Takes a delta and reports a chant. */
export function hear(
  channel: Channel,
  text: string,
  number: number,
  options: ChantOptions,
  log: AgentLog,
): DetectorReport | undefined {
  channel.chant ??= createChant()
  if (channel.since < 0) channel.since = number
  channel.limits ??= limitsFor(options, log)
  const repeat = addToChant(channel.chant, text, channel.limits)
  if (repeat) return toReport(repeat, channel.since)
}

/** An agent that was asked to say something N times has to. */
const limitsFor = (options: ChantOptions, { patience: { times, says } }: AgentLog): ChantOptions =>
  says && times > 0 ? { ...options, laps: Math.max(options.laps, times + 4) } : options

/** How near the text is to a chant. */
export function channelPressure({ chant, limits }: Channel, usual: ChantOptions): Pressure {
  const options = limits ?? usual
  if (!chant || chant.period === 0) return toPressure(0, options.laps)
  const laps = Math.floor(chant.run / chant.period) + 1
  return toPressure(laps, lapLimit(options, 'prose', chant.period, true).count)
}

// an excerpt that still occurs as often as reported
const MAX_SAMPLE = 160

const same = ({ count, period }: Repeat) =>
  `the same ${period > 1 ? `${period} characters` : 'character'} appeared ${count} times in a row`

const DETAILS: Record<Repeat['kind'], (repeat: Repeat) => string> = {
  chant: same,
  counting: (repeat) => `${same(repeat)}, apart from the numbers`,
  shuffled: ({ characters }) => `${characters} characters of text contained nothing new`,
  template: ({ characters }) =>
    `one sentence was repeated for ${characters} characters with only a word changed`,
  'few-words': ({ characters }) =>
    `the same few words were repeated for ${characters} characters in varying order`,
  blanks: ({ count, characters }) =>
    `${count} ${count < characters ? 'empty lines' : 'blanks'} appeared in a row`,
}

const toReport = (repeat: Repeat, since: number): DetectorReport => ({
  kind: repeat.kind,
  detail: DETAILS[repeat.kind](repeat),
  identity: repeat.name,
  count: repeat.count,
  period: repeat.period,
  firstEvent: since,
  sample: redact(repeat.sample.slice(0, MAX_SAMPLE)),
  characters: repeat.characters,
})
