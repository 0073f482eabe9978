import type { Outcome, Run } from './transcript.js'

/** Says how a run ended, as far as its program has told; without a kind, the run goes on. */
export function setOutcome(run: Run, kind: Outcome['kind'] | undefined, status = ''): void {
  if (kind) run.outcome = { kind, status: status.slice(0, MAX_STATUS) }
  else if (run.outcome) delete run.outcome
}

// a status is a word; where it is a sentence, its beginning tells
const MAX_STATUS = 80

/** What the reasons that providers give for the end of an answer mean; `undefined` for a call, after which the run goes on. */
export function kindOfStop(reason: unknown): Outcome['kind'] | undefined {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
    case 'stop':
      return 'finished'
    case 'max_tokens':
    case 'length':
    case 'model_context_window_exceeded':
      return 'limit'
    case 'refusal':
    case 'content-filter':
    case 'error':
      return 'failed'
  }
}
