/** What the gateway sends whenever something has changed. */
export interface Live {
  at: number
  store: { kind: 'memory' | 'redis'; ok: boolean }
  totals: { sessions: number; stuck: number; requests: number; saved: Saved }
  sessions: SessionView[]
}

/** What was not spent because the gateway stepped in. */
export interface Saved {
  requests: number
  tokens: number
  dollars: number
}

export type State = 'working' | 'struggling' | 'stuck' | 'stopped' | 'unguarded'

/** One conversation of an agent. */
export interface SessionView {
  id: string
  /** may be '' */
  name: string
  agent: string
  protocol: string
  model: string
  startedAt: number
  lastAt: number
  requests: number
  tokens: number
  /** 0 if the model has no known price */
  dollars: number
  saved: Saved
  /** 0 to 1 */
  pressure: number
  state: State
  /** oldest first */
  findings: FindingView[]
  choices: PastChoice[]
}

/** A loop, and what the gateway did about it. */
export interface FindingView {
  at: number
  detector: string
  certainty: 'likely' | 'certain'
  action: string
  outcome: string
  detail: string
  sample: string
  advice: string
  count: number
  tool?: string
  wasted: { events: number; characters: number; tokens?: number }
}

export interface PastChoice {
  at: number
  choice: string
  tool?: string
  times?: number
  text?: string
}

/** What a person decides about a session. */
export type Choice =
  | { choice: 'continue-once' }
  | { choice: 'allow'; tool: string; times?: number }
  | { choice: 'hint'; text: string }
  | { choice: 'stop' }
  | { choice: 'disable' }
