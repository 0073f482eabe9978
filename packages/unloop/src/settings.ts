import type { Detector, Options } from './detector.js'
import { detectors as all, defaultDetectors } from './detectors.js'
import type { Effect } from './effect.js'
import type { Action } from './finding.js'
import { ATTENDED_LADDER, DEFAULT_LADDER, type Ladder } from './ladder.js'
import { bad, checkOptions, isRecord } from './options.js'
import { type PresetName, presets } from './presets.js'

/** Everything a guard can be told; none of it is needed. */
export interface GuardOptions {
  /** the rules of a known system instead of ours; stops at once */
  preset?: PresetName
  /** exactly these detectors, or changes to those that are on: settings, `true` or `false` by name */
  detectors?: readonly Detector[] | Record<string, boolean | Partial<Options>>
  /** what is known of tools, by name */
  tools?: Record<string, ToolOptions>
  /** what a loop leads to, step by step; one list for all, or one for calls and one for text */
  ladder?: readonly Action[] | Partial<Ladder>
  /** a person is there: where it would stop, it asks */
  attended?: boolean
  /** `observe` records what would have happened and does nothing */
  mode?: 'enforce' | 'observe'
}

/** What a person or a host knows of a tool. */
export interface ToolOptions {
  /** what it does, where name and arguments do not tell */
  effect?: Effect
  /** the annotations it declares through MCP: another way to tell what it does */
  annotations?: { readOnlyHint?: boolean }
  /** names of arguments that do not make it another call */
  ignore?: readonly string[]
  /** how often it may come before it counts as a loop, or `always` */
  allow?: number | 'always'
}

/** The same, checked and complete. */
export interface Settings {
  detectors: readonly Detector[]
  tools: Record<string, ToolOptions>
  /** a detector reads what calls answer; the rules of the presets do not */
  answers: boolean
  ladder: Ladder
  mode: 'enforce' | 'observe'
}

const ACTIONS: readonly string[] = ['warn', 'block', 'cut', 'ask', 'stop'] satisfies Action[]
const EFFECTS: readonly string[] = [
  'reads',
  'changes',
  'waits',
  'moves',
  'unknown',
] satisfies Effect[]
const KNOWN = ['preset', 'detectors', 'tools', 'ladder', 'attended', 'mode']

/** Checks what a guard was told; throws a `RangeError` that names the option and ends "got …". */
export function checkSettings(options: GuardOptions = {}): Settings {
  if (!isRecord(options)) throw bad('the options', 'must be an object', options)
  for (const name of Object.keys(options)) {
    if (!KNOWN.includes(name)) throw bad('the options', `are ${KNOWN.join(', ')}`, name)
  }
  const { attended = false, mode = 'enforce' } = options as GuardOptions
  const preset = checkPreset(options.preset)
  if (typeof attended !== 'boolean') throw bad('attended', 'must be true or false', attended)
  if (mode !== 'enforce' && mode !== 'observe') {
    throw bad('mode', "must be 'enforce' or 'observe'", mode)
  }
  const steps = attended ? ATTENDED_LADDER : DEFAULT_LADDER
  const ladder: Ladder = preset ? { calls: ['stop'], text: ['stop'] } : steps
  const usual = preset ? presets[preset]() : defaultDetectors()
  const detectors = checkDetectors(usual, options.detectors)
  return {
    detectors,
    answers: !preset || detectors.some(({ name }) => !usual.some((rule) => rule.name === name)),
    tools: checkTools(options.tools),
    ladder: checkLadder(ladder, options.ladder),
    mode,
  }
}

function checkPreset(given: unknown): PresetName | undefined {
  if (given === undefined) return
  const names = Object.keys(presets)
  if (names.includes(given as string)) return given as PresetName
  throw bad('preset', `must be one of ${names.join(', ')}`, given)
}

function checkDetectors(usual: Detector[], given: unknown): readonly Detector[] {
  if (given === undefined) return usual
  if (Array.isArray(given)) return given.map(checkDetector)
  if (!isRecord(given)) throw bad('detectors', 'must be a list or settings by name', given)
  const chosen = new Map(usual.map((detector) => [detector.name, detector]))
  for (const [name, setting] of Object.entries(given)) {
    const known = all.find((detector) => detector.name === name)
    if (!known) {
      throw bad('detectors', `may name ${all.map((each) => each.name).join(', ')}`, name)
    }
    if (setting === false) chosen.delete(name)
    else chosen.set(name, configure(chosen.get(name) ?? known, setting))
  }
  return [...chosen.values()]
}

function configure(detector: Detector, setting: unknown): Detector {
  if (setting === true || setting === undefined) return detector
  const options = checkOptions(detector.name, detector.options, setting)
  detector.check?.(options)
  return { ...detector, options }
}

function checkDetector(value: unknown, index: number): Detector {
  const detector = value as Partial<Detector> | undefined
  if (typeof detector?.observe === 'function' && typeof detector.start === 'function') {
    return detector as Detector
  }
  throw bad(`detectors[${index}]`, 'must be a detector, such as identicalCall()', value)
}

function checkTools(given: unknown = {}): Record<string, ToolOptions> {
  if (!isRecord(given)) throw bad('tools', 'must be settings by name', given)
  for (const [name, tool] of Object.entries(given)) {
    const path = `tools.${name}`
    if (!isRecord(tool)) throw bad(path, 'must be an object of settings', tool)
    const { effect, annotations, ignore, allow, ...rest } = tool
    for (const other of Object.keys(rest)) {
      throw bad(path, 'has the settings effect, annotations, ignore, allow', other)
    }
    if (effect !== undefined && !EFFECTS.includes(effect as string)) {
      throw bad(`${path}.effect`, `must be one of ${EFFECTS.join(', ')}`, effect)
    }
    if (annotations !== undefined && !isRecord(annotations)) {
      throw bad(`${path}.annotations`, 'must be an object', annotations)
    }
    if (
      ignore !== undefined &&
      !(Array.isArray(ignore) && ignore.every((field) => typeof field === 'string'))
    ) {
      throw bad(`${path}.ignore`, 'must be a list of names', ignore)
    }
    if (
      allow !== undefined &&
      allow !== 'always' &&
      !(Number.isSafeInteger(allow) && (allow as number) > 0)
    ) {
      throw bad(`${path}.allow`, "must be a whole number of at least 1 or 'always'", allow)
    }
  }
  return given as Record<string, ToolOptions>
}

function checkLadder(usual: Ladder, given: unknown): Ladder {
  if (given === undefined) return usual
  if (Array.isArray(given)) {
    const steps = checkActions('ladder', given)
    return { calls: steps, text: steps }
  }
  if (!isRecord(given)) throw bad('ladder', 'must be a list of actions, or two', given)
  const { calls, text, ...rest } = given
  for (const name of Object.keys(rest)) throw bad('ladder', 'has the lists calls, text', name)
  return {
    calls: calls === undefined ? usual.calls : checkActions('ladder.calls', calls),
    text: text === undefined ? usual.text : checkActions('ladder.text', text),
  }
}

function checkActions(path: string, given: unknown): readonly Action[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw bad(path, `must be a list of ${ACTIONS.join(', ')}`, given)
  }
  for (const action of given) {
    if (!ACTIONS.includes(action)) throw bad(path, `takes ${ACTIONS.join(', ')}`, action)
  }
  const last = given.at(-1)
  if (last !== 'ask' && last !== 'stop') throw bad(path, "must end with 'ask' or 'stop'", last)
  return given
}
