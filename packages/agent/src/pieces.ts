import type { ModelEvent } from './model.js'

type Said = Exclude<ModelEvent, { type: 'finish' | 'call-correction' }>

// larger than the deltas of providers usually are, and less than a person minds to read of a chant
const MAX_DELTA = 64

/**
 * The event in pieces, if it is a long text: the guard tells of a chant with the piece that shows it, so that what came
 * after it in the same delta is left out as it would be in a stream of small ones.
 */
export function toPieces(said: Said): Said[] {
  if (said.type !== 'text' && said.type !== 'reasoning') return [said]
  const { type, text, meta } = said
  const pieces: Said[] = []
  let from = 0
  for (; text.length - from > MAX_DELTA; ) {
    const end = from + MAX_DELTA
    const to = isPair(text, end) ? end + 1 : end
    pieces.push({ type, text: text.slice(from, to) })
    from = to
  }
  return [...pieces, { type, text: text.slice(from), ...(meta !== undefined && { meta }) }]
}

/** Whether a character of two code units would be cut at this place. */
const isPair = (text: string, at: number) => (text.codePointAt(at - 1) ?? 0) > 0xffff
