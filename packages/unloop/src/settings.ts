import { BUDGET_RULES, type Budget } from './budget.js'
import { configure, type Detector } from './detector.js'
import { detectors as all, defaultDetectors } from './detectors.js'
import type { Fault } from './fault.js'
import type { Action, Finding } from './finding.js'
import { ATTENDED_LADDER, DEFAULT_LADDER, type Ladder } from './ladder/ladder.js'
import {
  bad,
  check,
  checkFields,
  type DetectorOptions,
  isRecord,
  isWhole,
  NAMES,
  oneOf,
  type Rule,
  SWITCH,
} from './options.js'
import type { Effect } from './reading/effect.js'
import type { ToolOptions } from './tool-options.js'

/** The options of a guard, all of them optional. */
export interface GuardOptions {
  /** the rules of another program instead of the usual ones, from `unloop/presets`; they stop at once */
  preset?: Preset
  /** exactly these detectors, or changes to the default ones: settings, `true` or `false` by name */
  detectors?: readonly Detector[] | Record<string, boolean | Partial<DetectorOptions>>
  /** facts about tools, by name */
  tools?: Record<string, ToolOptions>
  /** what a loop leads to, step by step: one list for all loops, or one for calls and one for text */
  ladder?: readonly Action[] | Partial<Ladder>
  /** a person is present: the guard asks where it would otherwise stop */
  attended?: boolean
  /** `observe` reports findings and stops nothing */
  mode?: GuardMode
  /** how much one prompt may use; going over it climbs the same ladder as a loop */
  budget?: Budget
  /** called with each finding */
  onFinding?: (finding: Finding) => void
  /** called once for each internal error; without it, the first one is a line on stderr */
  onFault?: (fault: Fault) => void
}

/** The rules of another program. */
export interface Preset {
  readonly name: string
  /** new detectors for one guard */
  detectors(): Detector[]
}

/** The options, checked and complete. */
export interface Settings {
  detectors: readonly Detector[]
  tools: Record<string, ToolOptions>
  /** some detector reads answers; those of the presets do not */
  answers: boolean
  ladder: Ladder
  mode: GuardMode
  budget: Budget | undefined
  onFinding: GuardOptions['onFinding']
  onFault: GuardOptions['onFault']
}

/** Whether a guard acts on its findings or only reports them. */
export type GuardMode = 'enforce' | 'observe'

const ACTIONS = ['warn', 'block', 'cut', 'ask', 'stop'] satisfies Action[]
const EFFECTS = ['reads', 'changes', 'waits', 'moves', 'unknown'] satisfies Effect[]

const FUNCTION: Rule = [(value) => typeof value === 'function', 'must be a function']

const RULES: Record<keyof GuardOptions, Rule> = {
  preset: [
    (value) => isRecord(value) && typeof value.detectors === 'function',
    "must come from unloop/presets, such as presets['gemini-cli']",
  ],
  detectors: [
    (value) => typeof value === 'object' && value !== null,
    'must be a list of detectors, or settings by detector name',
  ],
  tools: [isRecord, 'must be settings by tool name'],
  ladder: [
    (value) => typeof value === 'object' && value !== null,
    'must be a list of actions, or { calls, text } with a list each',
  ],
  attended: SWITCH,
  mode: oneOf(['enforce', 'observe'] satisfies GuardMode[]),
  budget: [isRecord, 'must be an object with limits'],
  onFinding: FUNCTION,
  onFault: FUNCTION,
}

const TOOL_RULES: Record<keyof ToolOptions, Rule> = {
  effect: oneOf(EFFECTS),
  annotations: [isRecord, 'must be an object'],
  ignore: NAMES,
  identify: NAMES,
  allow: [
    (value) => value === 'always' || isWhole(value),
    "must be a whole number of at least 1 or 'always'",
  ],
}

const STEPS: Rule = [
  (value) =>
    Array.isArray(value) &&
    value.every((action) => ACTIONS.includes(action)) &&
    (value.at(-1) === 'ask' || value.at(-1) === 'stop'),
  `must be a list of ${ACTIONS.join(', ')} that ends with 'ask' or 'stop'`,
]

/** Checks the options of a guard; throws a `RangeError` that names the option and ends with "got …". */
export function checkSettings(options: GuardOptions = {}): Settings {
  checkFields('options', options, RULES, '')
  const { preset, attended, mode = 'enforce', tools = {}, ladder, budget } = options
  if (budget) checkBudget(budget)
  for (const [name, tool] of Object.entries(tools)) checkFields(`tools.${name}`, tool, TOOL_RULES)
  const steps = attended ? ATTENDED_LADDER : DEFAULT_LADDER
  const usual = preset ? preset.detectors() : defaultDetectors()
  const detectors = checkDetectors(usual, options.detectors)
  return {
    detectors,
    answers: !preset || detectors.some(({ name }) => !usual.some((rule) => rule.name === name)),
    tools,
    ladder: checkLadder(preset ? { calls: ['stop'], text: ['stop'] } : steps, ladder),
    mode,
    budget,
    onFinding: options.onFinding,
    onFault: options.onFault,
  }
}

function checkBudget(budget: Budget): void {
  checkFields('budget', budget, BUDGET_RULES)
  if (budget.dollars !== undefined && !budget.prices)
    throw bad('budget.dollars', 'needs budget.prices as well', budget.dollars)
}

function checkDetectors(usual: Detector[], given: GuardOptions['detectors'] = {}) {
  if (isList(given)) {
    for (const [index, detector] of given.entries()) {
      check(`detectors[${index}]`, detector, [isDetector, 'must be a detector, such as failing()'])
      const { name } = detector as Detector
      if (given.some((other, i) => i < index && (other as Detector).name === name)) {
        throw bad('detectors', 'must have different names', name)
      }
    }
    return given
  }
  const chosen = new Map(usual.map((detector) => [detector.name, detector]))
  for (const [name, setting] of Object.entries(given)) {
    const known = chosen.get(name) ?? all.find((detector) => detector.name === name)
    if (!known)
      throw bad('detectors', `must be one of ${all.map((each) => each.name).join(', ')}`, name)
    if (setting === false) chosen.delete(name)
    else chosen.set(name, setting === true ? known : configure(known, setting))
  }
  return [...chosen.values()]
}

/** Whether this has everything a guard needs, and can start. */
function isDetector(value: unknown): boolean {
  const { name, on, start, observe, pressure, options } = (value ?? {}) as Partial<Detector>
  if (typeof name !== 'string' || !Array.isArray(on) || !isRecord(options)) return false
  if ([start, observe, pressure].some((part) => typeof part !== 'function')) return false
  try {
    start?.(options)
    return true
  } catch {
    return false
  }
}

function checkLadder(usual: Ladder, given: GuardOptions['ladder'] = {}): Ladder {
  if (!isList(given)) {
    checkFields('ladder', given, { calls: STEPS, text: STEPS })
    const { calls = usual.calls, text = usual.text } = given as Partial<Ladder>
    return { calls, text }
  }
  check('ladder', given, STEPS)
  return { calls: given, text: given }
}

const isList = (value: object): value is readonly never[] => Array.isArray(value)
