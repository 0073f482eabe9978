import { type Finding, findingOf } from '../finding.js'
import { check, checkOptions, type Rule, SHARE } from '../options.js'
import { shorten } from '../reading/sample.js'
import { type JudgeMessage, recentMessages, userMessage } from './messages.js'
import { QUESTION, SYSTEM_PROMPT, VERDICT_SCHEMA } from './prompt.js'

export type { JudgeMessage } from './messages.js'

/** What a judging model is asked. */
export interface JudgeRequest {
  system: string
  messages: JudgeMessage[]
  /** JSON schema of the answer, for models that take one */
  schema: typeof VERDICT_SCHEMA
}

/** What a judging model answers: how sure it is, 0 to 1, that the agent is stuck. */
export interface JudgeOpinion {
  analysis?: string
  confidence: number
}

/** Asks a model; may fail, hang or lie. */
export type JudgeAsk = (request: JudgeRequest, signal: AbortSignal) => Promise<JudgeOpinion>

/** The outcome of a check, for telemetry and debugging. */
export interface JudgeCheck {
  turn: number
  /** the first model's confidence, and the second's if it was asked */
  confidence?: number
  confirmed?: number
  /** why there was no verdict */
  error?: unknown
}

/** The settings of a judge; the defaults are those of Gemini CLI. */
export interface JudgeOptions extends Partial<typeof DEFAULTS> {
  ask: JudgeAsk
  /** a second, stronger model that has to agree */
  confirm?: JudgeAsk
  /** the conversation so far, in any provider's format */
  history: () => readonly JudgeMessage[]
  onCheck?: (check: JudgeCheck) => void
}

/** The semantic layer next to the guard: asks a model whether the agent is stuck. */
export interface Judge {
  /** Counts a turn, and asks when a check is due. Never rejects. */
  turnStarted(signal?: AbortSignal, at?: number): Promise<Finding | undefined>
  /** Starts over for a new request from the person. */
  reset(request?: string): void
}

const FUNCTION: Rule = [(value) => typeof value === 'function', 'must be a function']

const DEFAULTS = {
  /** the first turn of a prompt at which it asks */
  firstTurn: 30,
  /** how many of the last messages it shows */
  messages: 20,
  /** a confidence above this is a loop */
  threshold: 0.9,
  /** turns between two checks: at first, and then the least and the most; the less likely a loop, the more turns */
  firstInterval: 3,
  minInterval: 5,
  maxInterval: 15,
  /** the agent waits for the verdict, so a slow model is as good as none */
  timeoutMs: 30_000,
  /** questions per prompt; 100 turns at the shortest interval need 14, plus as many confirmations */
  budget: 28,
}

/**
 * A judge that asks a cheap model from time to time, and a stronger one before it reports a loop.
 *
 * @example const judge = createJudge({ ask, history: () => messages })
 */
export function createJudge(options: JudgeOptions): Judge {
  const { ask, confirm, history, onCheck, ...numbers } = options
  check('judge.ask', ask, FUNCTION)
  check('judge.history', history, FUNCTION)
  const settings = checkOptions('judge', DEFAULTS, numbers)
  let request: string | undefined
  let turn = 0
  let lastCheck = 0
  let interval = settings.firstInterval
  let asked = 0
  let strikes = 0

  async function judge(signal: AbortSignal | undefined, at: number): Promise<Finding | undefined> {
    const report: JudgeCheck = { turn }
    try {
      const question = toRequest(history(), settings.messages, request)
      asked++
      const first = await askInTime(ask, question, signal, settings.timeoutMs)
      report.confidence = first.confidence
      let opinion = first
      if (confirm && first.confidence >= settings.threshold && asked < settings.budget) {
        asked++
        opinion = await askInTime(confirm, question, signal, settings.timeoutMs)
        report.confirmed = opinion.confidence
      }
      const { confidence } = opinion
      if (isLoop(confidence, report.confirmed !== undefined)) return toFinding(opinion, at)
      const { minInterval, maxInterval } = settings
      interval = Math.round(minInterval + (maxInterval - minInterval) * (1 - confidence))
    } catch (error) {
      report.error = error
    } finally {
      tell(onCheck, report)
    }
  }

  // a single model has to be above the threshold; for the second of two, reaching it is enough
  const isLoop = (confidence: number, agreed: boolean) =>
    agreed ? confidence >= settings.threshold : confidence > settings.threshold

  function toFinding({ analysis = '', confidence }: JudgeOpinion, at: number): Finding {
    strikes++
    const sample = shorten(analysis)
    const found = findingOf(
      'judge',
      'unproductive',
      `a model is ${Math.round(confidence * 100)}% sure that the agent made no progress lately: ${sample}`,
      'Your last turns did not move the task forward. Say what you know and what is missing, then try a different approach or ask for help.',
      at,
    )
    return { ...found, sample, strike: strikes }
  }

  return {
    async turnStarted(signal, at = 0) {
      turn++
      const due = turn >= settings.firstTurn && turn - lastCheck >= interval
      if (!due || asked >= settings.budget || signal?.aborted) return
      lastCheck = turn
      return judge(signal, at)
    },
    reset(text) {
      request = text
      turn = 0
      lastCheck = 0
      interval = settings.firstInterval
      asked = 0
      strikes = 0
    },
  }
}

function toRequest(
  history: readonly JudgeMessage[],
  count: number,
  request?: string,
): JudgeRequest {
  const messages = recentMessages(history, count)
  const like = messages[0]
  if (request) {
    const text = `<original_user_request>\n${request}\n</original_user_request>`
    messages.unshift(userMessage(text, like))
  }
  messages.push(userMessage(QUESTION, like))
  return { system: SYSTEM_PROMPT, messages, schema: VERDICT_SCHEMA }
}

function tell(onCheck: JudgeOptions['onCheck'], report: JudgeCheck): void {
  try {
    onCheck?.(report)
  } catch {
    // a failing listener must not affect the agent
  }
}

/** Asks with a time limit, and accepts only an answer that makes sense. */
async function askInTime(
  ask: JudgeAsk,
  request: JudgeRequest,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<JudgeOpinion> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => {
    controller.abort(new Error(`no answer within ${timeoutMs} ms`))
  }, timeoutMs)
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  try {
    const opinion = await Promise.race([ask(request, controller.signal), aborted])
    check("the judge's confidence", opinion?.confidence, SHARE)
    return opinion
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
