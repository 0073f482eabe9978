import { defaultDetectors, type GuardOptions } from 'unloop'
import type { Config } from '../config/config.js'
import { UsageError } from '../exit-code.js'

/** One detector alone, with one of its limits at some value. */
export interface Variant {
  detector: string
  option: string
  value: number
  isDefault: boolean
  guard: GuardOptions
}

/** The limit of each detector that says how patient it is. */
const LIMITS: Record<string, string> = {
  'repeated-call': 'sameAnswer',
  'call-cycle': 'laps',
  'scattered-call': 'limit',
  'same-answer': 'limit',
  failing: 'same',
  paging: 'limit',
  'call-flood': 'soft',
  chanting: 'characters',
  'repeated-message': 'same',
  'repeated-thought': 'same',
  'ping-pong': 'limit',
}

// half as patient as the default to three times as patient, which is where the curves of the detectors are flat again
const FACTORS = [0.5, 0.75, 1, 1.5, 2, 3]

/** Every limit at several values, the default among them; what is off in the configuration is not tried. */
export function createVariants({ detectors, tools }: Config = {}): Variant[] {
  const isOff = (name: string) =>
    !Array.isArray(detectors) && (detectors as Record<string, unknown>)?.[name] === false
  return defaultDetectors().flatMap(({ name, options }) => {
    const option = LIMITS[name]
    if (option === undefined || isOff(name)) return []
    const usual = (options as Record<string, unknown>)[option] as number
    const values = [...new Set(FACTORS.map((factor) => Math.max(2, Math.round(usual * factor))))]
    return values.map((value) => ({
      detector: name,
      option,
      value,
      isDefault: value === usual,
      guard: { detectors: only(name, { [option]: value }), ...(tools && { tools }) },
    }))
  })
}

const only = (name: string, options: Record<string, number>) => ({
  ...Object.fromEntries(defaultDetectors().map((one) => [one.name, false])),
  [name]: options,
})

/** A limit that a person chose: `repeated-call.sameAnswer=6`, or without the option its usual limit. */
export function readChoice(text: string): { detector: string; option: string; value: number } {
  const [, detector = '', option = LIMITS[detector] ?? '', number] =
    text.match(/^([\w-]+)(?:\.(\w+))?=(\d+)$/) ?? []
  const known = defaultDetectors().find(({ name }) => name === detector)
  const value = Number(number)
  if (known && option in known.options && value >= 1) return { detector, option, value }
  throw new UsageError(
    `--set takes DETECTOR=NUMBER or DETECTOR.OPTION=NUMBER, such as repeated-call=6, got ${text}; the detectors are ${Object.keys(LIMITS).join(', ')}`,
  )
}
