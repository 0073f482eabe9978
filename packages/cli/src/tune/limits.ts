import type { Detector } from 'unloop'

/** Advice is any finding; a stop ends the run or asks the person. */
export type Level = 'advice' | 'stops'

/** A limit of a detector, and what it decides. */
export interface LevelLimit {
  option: string
  levels: readonly Level[]
}

/** The limit of each detector that says how patient it is before it stops a run. */
const PATIENCE: Record<string, string> = {
  'repeated-call': 'limit',
  'call-cycle': 'limit',
  'scattered-call': 'limit',
  'same-answer': 'limit',
  'asked-again': 'limit',
  failing: 'limit',
  paging: 'limit',
  'call-flood': 'calls',
  chanting: 'characters',
  'repeated-message': 'limit',
  'repeated-thought': 'limit',
  'ping-pong': 'limit',
}

export const tunedDetectors = Object.keys(PATIENCE)

/** The one that decides about stops comes last; a detector with a single limit decides both with it. */
export function limitsOf({ name, options }: Pick<Detector, 'name' | 'options'>): LevelLimit[] {
  const option = PATIENCE[name]
  if (option === undefined) return []
  if (!('likely' in options)) return [{ option, levels: ['advice', 'stops'] }]
  return [
    { option: 'likely', levels: ['advice'] },
    { option, levels: ['stops'] },
  ]
}
