import { stat } from 'node:fs/promises'
import { cutDocument } from '../cut-document.js'
import { type Json, numberOf, objectOf, textOf } from '../json.js'
import { parse } from '../partial-json.js'
import { readBytes } from '../source.js'
import { count, type Spent, spent } from '../spent.js'
import type { Outcome } from '../transcript.js'

/** What the program showed to the person, as far as the messages of the task do not tell it. */
export interface ClineUi {
  /** what each request has taken, in order */
  costs: Spent[]
  outcome: Outcome | undefined
}

/** Reads `ui_messages.json`, which stands beside the messages of a task; nothing without such a file. */
export async function readUi(path: string): Promise<ClineUi> {
  const ui: ClineUi = { costs: [], outcome: undefined }
  const cutter = cutDocument(
    { ...IGNORED, text: (text) => add(ui, objectOf(parse(text))) },
    2 ** 20,
  )
  try {
    // a pipe or a device may have no end
    if (!(await stat(path)).isFile()) return ui
    for await (const chunk of readBytes(path, 'plain')) cutter.push(chunk)
  } catch {
    // the tokens stay unknown
  }
  return ui
}

const IGNORED = { shortened() {}, skipped() {}, spoiled() {} }

function add(ui: ClineUi, { ask, say, text }: Json): void {
  const word = textOf(ask) ?? textOf(say) ?? ''
  const kind = ENDINGS.get(word)
  if (kind) ui.outcome = { kind, status: word }
  else if (GOING_ON.has(word)) ui.outcome = undefined
  if (say !== 'api_req_started' || typeof text !== 'string') return
  const told = objectOf(parse(text))
  const reason = textOf(told.cancelReason)
  if (reason)
    ui.outcome = { kind: reason === 'user_cancelled' ? 'aborted' : 'failed', status: reason }
  if (told.tokensOut === undefined) return
  const plain = spent(told.tokensIn, told.cacheReads, told.tokensOut)
  const written = count(told.cacheWrites)
  const cost = numberOf(told.cost)
  ui.costs.push({
    ...plain,
    input: plain.input + plain.cached + written,
    written,
    // a model on this machine costs nothing, and one that is not in the program's list neither
    ...(cost !== undefined && cost > 0 && { cost }),
  })
}

/** What it says or asks when a task is over, or was opened again and not continued. */
const ENDINGS = new Map<string, Outcome['kind']>([
  ['completion_result', 'finished'],
  ['resume_completed_task', 'finished'],
  ['resume_task', 'aborted'],
  ['api_req_failed', 'failed'],
  ['mistake_limit_reached', 'limit'],
  ['auto_approval_max_req_reached', 'limit'],
])

const GOING_ON = new Set(['api_req_started', 'user_feedback', 'tool', 'command', 'api_req_retried'])
