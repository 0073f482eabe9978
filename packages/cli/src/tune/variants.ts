import { defaultDetectors, type GuardOptions } from 'unloop'
import type { Config } from '../config/config.js'
import { UsageError } from '../exit-code.js'
import { type Level, limitsOf, tunedDetectors } from './limits.js'
import type { Profile } from './profiles.js'
import { type Limit, withLimits } from './write-config.js'

/** One detector alone, with one of its limits at some value. */
export interface Variant {
  detector: string
  option: string
  /** what the limit decides: when the model is advised, when the run is stopped, or both */
  levels: readonly Level[]
  value: number
  /** all that is set: advice cannot come after the stop, so a later limit of it takes that one along */
  limits: readonly Limit[]
  isDefault: boolean
  guard: GuardOptions
}

// half as patient as the default to three times as patient, which is where the curves of the detectors are flat again
const FACTORS = [0.5, 0.75, 1, 1.5, 2, 3]

/** Every limit at several values, the default among them; what is off in the configuration is not tried. */
export function createVariants({ detectors, tools }: Config = {}): Variant[] {
  const isOff = (name: string) =>
    !Array.isArray(detectors) && (detectors as Record<string, unknown>)?.[name] === false
  return defaultDetectors().flatMap((detector) => {
    const { name, options } = detector
    if (isOff(name)) return []
    const own = limitsOf(detector)
    const last = own.at(-1)?.option ?? ''
    return own.flatMap(({ option, levels }) => {
      const usual = options[option] as number
      const values = [...new Set(FACTORS.map((factor) => Math.max(2, Math.round(usual * factor))))]
      return values.map((value) => {
        const isInTheWay = option !== last && value >= (options[last] as number)
        const settings = { [option]: value, ...(isInTheWay && { [last]: value + 1 }) }
        return {
          detector: name,
          option,
          levels,
          value,
          limits: Object.entries(settings).map(([key, number]) => ({
            detector: name,
            option: key,
            value: number,
          })),
          isDefault: value === usual,
          guard: { detectors: only(name, settings), ...(tools && { tools }) },
        }
      })
    })
  })
}

/** All detectors together, as they are and as a profile would have them. */
export function wholeVariants({ detectors, tools }: Config = {}, profile?: Profile): Variant[] {
  const common = { option: '', levels: [], value: 0, limits: [], isDefault: false }
  const guard = { ...(detectors && { detectors }), ...(tools && { tools }) } as GuardOptions
  const whole = { ...common, detector: 'all together', guard }
  if (!profile || Array.isArray(detectors)) return [whole]
  const limits = withLimits(detectors as Record<string, unknown>, profile.limits)
  const moved = { ...guard, detectors: limits as GuardOptions['detectors'] }
  return [whole, { ...common, detector: `for ${profile.name}`, guard: moved as GuardOptions }]
}

const only = (name: string, options: Record<string, number>) => ({
  ...Object.fromEntries(defaultDetectors().map((one) => [one.name, false])),
  [name]: options,
})

/** A limit that a person chose: `repeated-call.limit=6`, or without the option the one that stops. */
export function readChoice(text: string): { detector: string; option: string; value: number } {
  const [, detector = '', named, number] = text.match(/^([\w-]+)(?:\.(\w+))?=(\d+)$/) ?? []
  const known = defaultDetectors().find(({ name }) => name === detector)
  const option = named ?? (known && limitsOf(known).at(-1)?.option)
  const value = Number(number)
  if (known && option !== undefined && option in known.options && value >= 1)
    return { detector, option, value }
  throw new UsageError(
    `--set takes DETECTOR=NUMBER or DETECTOR.OPTION=NUMBER, such as repeated-call=6, got ${text}; the detectors are ${tunedDetectors.join(', ')}`,
  )
}
