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

export const tunedDetectors = Object.keys(PATIENCE)

/** The one that decides about stops comes last; a detector with a single limit decides both with it. */
export function limitsOf({ name, options }: Pick<Detector, 'name' | 'options'>): LevelLimit[] {
  const option = PATIENCE[name]
  if (option === undefined) return []
  const likely = [`likely${option.charAt(0).toUpperCase()}${option.slice(1)}`, 'likely'].find(
    (other) => other in options,
  )
  if (likely === undefined) return [{ option, levels: ['advice', 'stops'] }]
  return [
    { option: likely, levels: ['advice'] },
    { option, levels: ['stops'] },
  ]
}
