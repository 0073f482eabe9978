import type { Detector } from '../detector.js'
import { watchText } from '../detectors/text-window.js'
import type { AgentEvent } from '../event.js'
import type { Finding } from '../finding.js'
import { createGuard, type Guard } from '../guard.js'
import { toInert } from '../intake/inert.js'
import {
  createJudge,
  type Judge,
  type JudgeAsk,
  type JudgeMessage,
  type JudgeOptions,
} from '../judge/index.js'
import { check, oneOf } from '../options.js'
import { isNamed } from '../reading/names.js'
import { checkSettings, type GuardOptions } from '../settings.js'
import { feedDelta } from '../text/feed-delta.js'
import { type PresetName, presets } from './index.js'

/** The types of loops in telemetry. */
export const LoopType = {
  CONSECUTIVE_IDENTICAL_TOOL_CALLS: 'consecutive_identical_tool_calls',
  CHANTING_IDENTICAL_SENTENCES: 'chanting_identical_sentences',
  LLM_DETECTED_LOOP: 'llm_detected_loop',
} as const
export type LoopType = (typeof LoopType)[keyof typeof LoopType]

/** What the service uses from its host; every part is optional. */
export interface ServiceConfig {
  getModel?(): string
  getDebugMode?(): boolean
  getDisableLoopDetection?(): boolean
  getGeminiClient?(): { getHistory(): readonly unknown[] }
  getBaseLlmClient?(): { generateJson(request: JsonRequest): Promise<unknown> }
  /** whose rules to follow; `gemini-cli` by default */
  preset?: PresetName
  /** changes to the numbers of the preset, by detector */
  detectors?: Record<string, boolean | Record<string, unknown>>
  /** changes to the numbers of the semantic check */
  judge?: Partial<Omit<JudgeOptions, 'ask' | 'confirm' | 'history' | 'onCheck'>>
  /** asks a second, stronger model before a semantic loop counts */
  doubleCheck?: boolean
}

/** The request that `generateJson` gets. */
export interface JsonRequest {
  modelConfigKey: { model: string }
  /** the session's model, with the preset `qwen-code`, whose hosts have no task names */
  model?: string
  contents: JudgeMessage[]
  schema: object
  systemInstruction: string
  abortSignal: AbortSignal
  promptId: string
}

export interface LoopDetectedEvent {
  'event.name': 'loop_detected'
  prompt_id: string
  loop_type: LoopType
  count: number
  confirmed_by_model?: string
  confidence?: number
}

export interface LoopDetectionDisabledEvent {
  'event.name': 'loop_detection_disabled'
  prompt_id: string
}

export interface LlmLoopCheckEvent {
  'event.name': 'llm_loop_check'
  prompt_id: string
  confidence: number
  main_model_confidence?: number
}

/** Where the service sends its reports. */
export interface ServiceTelemetry {
  loopDetected?(event: LoopDetectedEvent): void
  loopDetectionDisabled?(event: LoopDetectionDisabledEvent): void
  llmLoopCheck?(event: LlmLoopCheckEvent): void
}

/** An event of a Gemini CLI stream; unknown ones are ignored. */
export interface StreamEvent {
  type: string
  value?: unknown
}

const FIRST_MODEL = 'loop-detection'
const SECOND_MODEL = 'loop-detection-double-check'
// the model that qwen-code asks if none is set
const QWEN_MODEL = 'coder-model'

/** A drop-in replacement for the class of that name in Gemini CLI and its forks: one per session. */
export class LoopDetectionService {
  readonly #config: ServiceConfig
  readonly #telemetry: ServiceTelemetry
  readonly #guard: Guard
  readonly #judge: Judge
  #promptId = ''
  #finding: Finding | undefined
  #strikes = 0
  #disabled = false
  #lastCheck: { confidence: number; model: string } | undefined

  constructor(config: ServiceConfig = {}, telemetry: ServiceTelemetry = {}) {
    this.#config = config
    this.#telemetry = telemetry
    this.#guard = createGuard(toGuardOptions(config))
    this.#judge = createJudge({
      ...config.judge,
      ask: this.#asking(FIRST_MODEL),
      ...(config.doubleCheck ? { confirm: this.#asking(SECOND_MODEL) } : {}),
      history: () => (config.getGeminiClient?.().getHistory() ?? []) as JudgeMessage[],
      onCheck: ({ turn, confidence, confirmed, error }) => {
        if (error !== undefined) this.#debug(`the check at turn ${turn} gave no verdict:`, error)
        if (confidence === undefined) return
        this.#debug(`the check at turn ${turn} gave ${confidence}`, confirmed ?? '')
        this.#lastCheck =
          confirmed === undefined
            ? { confidence, model: FIRST_MODEL }
            : { confidence: confirmed, model: SECOND_MODEL }
        this.#tell('llmLoopCheck', {
          'event.name': 'llm_loop_check',
          prompt_id: this.#promptId,
          confidence,
          ...(confirmed === undefined ? {} : { main_model_confidence: confirmed }),
        })
      },
    })
    this.#begin()
  }

  /** Takes the next event of the stream; `true` means stop now. */
  addAndCheck(event: StreamEvent): boolean {
    if (this.#isOff()) return false
    if (this.#finding) return true
    const seen = toEvent(event)
    const finding = seen && this.#guard.observe(seen)
    // the class can only stop, and a likely loop is not enough for that; the presets are always certain
    if (!finding || finding.certainty === 'likely') return false
    if (finding.detector === 'call-flood') console.warn(`Loop detection: ${finding.detail}.`)
    this.#found(finding, typeOf(finding))
    return true
  }

  /** Call this when a turn begins; may ask a model whether the agent is stuck. */
  async turnStarted(signal?: AbortSignal): Promise<boolean> {
    if (this.#isOff()) return false
    if (this.#finding) return true
    const finding = await this.#judge.turnStarted(signal, this.#guard.events)
    if (!finding || this.#isOff()) return false
    this.#found(finding, LoopType.LLM_DETECTED_LOOP)
    return true
  }

  /** Call this when the prompt changes. A disabled service stays disabled. */
  reset(promptId: string, userPrompt?: string): void {
    this.#promptId = promptId
    this.#finding = undefined
    this.#strikes = 0
    this.#lastCheck = undefined
    this.#judge.reset(userPrompt)
    this.#begin()
  }

  /** Turns detection off, including for a pending loop. */
  disableForSession(): void {
    this.#disabled = true
    this.#tell('loopDetectionDisabled', {
      'event.name': 'loop_detection_disabled',
      prompt_id: this.#promptId,
    })
  }

  /** Allows a recovery turn; the next detection is the next strike. */
  clearDetection(): void {
    this.#finding = undefined
  }

  getDetectedLoopType(): LoopType | undefined {
    return this.#finding && typeOf(this.#finding)
  }

  /** The finding, in words. */
  getDetail(): string | undefined {
    return this.#finding?.detail
  }

  /** How many loops were detected in this prompt. */
  getStrikes(): number {
    return this.#strikes
  }

  #begin(): void {
    const model = this.#config.getModel?.() ?? ''
    this.#guard.observe({ type: 'prompt', model })
    if (this.#isStrict(model))
      console.info(`Loop detection: strict checking of tool calls is on for ${model}.`)
  }

  #isStrict(model: string): boolean {
    const { preset, detectors } = this.#config
    const setting = detectors?.['call-flood']
    if (setting === false || (preset !== 'deepv' && setting === undefined)) return false
    const { models = '*preview*' } = Object(setting) as { models?: string }
    return model !== '' && isNamed(models, model)
  }

  #found(finding: Finding, loopType: LoopType): void {
    this.#finding = finding
    this.#strikes++
    this.#debug(finding.detail)
    const check = loopType === LoopType.LLM_DETECTED_LOOP ? this.#lastCheck : undefined
    this.#tell('loopDetected', {
      'event.name': 'loop_detected',
      prompt_id: this.#promptId,
      loop_type: loopType,
      count: this.#strikes,
      ...(check ? { confirmed_by_model: check.model, confidence: check.confidence } : {}),
    })
  }

  #asking(model: string): JudgeAsk {
    return async ({ system, messages, schema }, abortSignal) => {
      const client = this.#config.getBaseLlmClient?.()
      if (!client) throw new Error('there is no model to ask')
      const answer = (await client.generateJson({
        modelConfigKey: { model },
        ...(this.#config.preset === 'qwen-code' && {
          model: this.#config.getModel?.() || QWEN_MODEL,
        }),
        contents: messages,
        schema,
        systemInstruction: system,
        abortSignal,
        promptId: this.#promptId,
      })) as Record<string, unknown> | undefined
      return {
        analysis: String(answer?.unproductive_state_analysis ?? ''),
        // some hosts still answer with the older name
        confidence: (answer?.unproductive_state_confidence ?? answer?.confidence) as number,
      }
    }
  }

  /** Failing telemetry must not affect the agent. */
  #tell<K extends keyof ServiceTelemetry>(
    name: K,
    event: Parameters<NonNullable<ServiceTelemetry[K]>>[0],
  ): void {
    try {
      ;(this.#telemetry[name] as ((event: unknown) => void) | undefined)?.(event)
    } catch (error) {
      this.#debug(`telemetry's ${name} failed:`, error)
    }
  }

  #isOff(): boolean {
    return this.#disabled || this.#config.getDisableLoopDetection?.() === true
  }

  #debug(...words: unknown[]): void {
    if (this.#config.getDebugMode?.()) console.debug('Loop detection:', ...words)
  }
}

/**
 * The preset with the class's own way of reading lines, unless the host sets `lineStart` of
 * `text-window` to `newline`, plus any other changes of the host.
 */
function toGuardOptions({
  preset: name = 'gemini-cli',
  detectors = {},
}: ServiceConfig): GuardOptions {
  check('preset', name, oneOf(Object.keys(presets)))
  const preset = presets[name]
  const { 'text-window': window = {}, ...others } = detectors
  const { lineStart = 'delta', ...numbers } = Object(window)
  const settings = { ...others, 'text-window': typeof window === 'boolean' ? window : numbers }
  const chosen = checkSettings({ preset, detectors: settings } as GuardOptions).detectors
  if (lineStart === 'newline') return { preset, detectors: chosen }
  const observe = watchText(feedDelta, true) as unknown as Detector['observe']
  return {
    preset,
    detectors: chosen.map((rule) => (rule.name === 'text-window' ? { ...rule, observe } : rule)),
  }
}

const typeOf = ({ detector }: Finding): LoopType => {
  if (detector === 'judge') return LoopType.LLM_DETECTED_LOOP
  if (detector === 'text-window') return LoopType.CHANTING_IDENTICAL_SENTENCES
  return LoopType.CONSECUTIVE_IDENTICAL_TOOL_CALLS
}

/** An event of the stream in our vocabulary. */
function toEvent(event: StreamEvent): AgentEvent | undefined {
  const { type, value } = (toInert(event) ?? {}) as Partial<StreamEvent>
  switch (type) {
    case 'content':
      return { type: 'text', text: value as string }
    case 'tool_call_request': {
      const { name, args = {} } = (value ?? {}) as { name: string; args?: unknown }
      return { type: 'tool-call', name, args }
    }
    case 'retry':
      return { type: 'retry' }
  }
}
