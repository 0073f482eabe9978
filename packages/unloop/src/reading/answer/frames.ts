import {
  ACCEPTED,
  BLOCK,
  CUT,
  EXIT,
  FAILED,
  FIRST,
  GOOD,
  HOLE,
  LEADS,
  NAME,
  NO,
  NOT,
  OPENS,
  PENDING,
  type Phrase,
  phrasesFrom,
  QUOTES,
  SCREEN,
  STARTS,
  UNUSABLE,
  USAGE,
  WHOLE,
} from './lexicon.js'
import { addExit, TELLING_WORDS, type Told } from './tells.js'
import { AMOUNT, END, FRAME, type Tokens, WORD } from './tokens.js'

/** Finds the phrases of a text: removes the frame but keeps what it says, and marks the other phrases. */
export function cutFrames(tokens: Tokens, told: Told): void {
  const { leads, leadCount, count } = tokens
  told.quotedFrom = count
  let end = 0
  for (let i = 0; i < leadCount; i++) {
    const at = leads[i] as number
    const place = at < end ? 0 : placeOf(tokens, at)
    if (((tokens.tells[at] as number) & place) !== 0) end = applyPhrase(tokens, told, at, place)
  }
  if (told.accepted) told.plainLines = countPlainLines(tokens, told.quotedFrom)
  told.hasBegun ||= !isFramed(tokens, count)
}

/** Which phrases may begin at a token: LEADS anywhere, OPENS after a bracket, STARTS at the start of a line. */
function placeOf({ text, kinds, starts }: Tokens, at: number): number {
  if (at === 0) return STARTS | OPENS | LEADS
  const before = kinds[at - 1]
  // a line inside JSON text is not a line of the frame
  const isLineStart = before === END && text.charCodeAt(starts[at - 1] as number) !== 110
  if (isLineStart || before === FRAME) return STARTS | OPENS | LEADS
  const sign = text.charCodeAt((starts[at] as number) - 1)
  return sign === 40 || sign === 47 || sign === 60 || sign === 91 ? OPENS | LEADS : LEADS
}

/** Applies the first phrase that matches at a token, and returns where it ends. */
function applyPhrase(tokens: Tokens, told: Told, at: number, place: number): number {
  const { hashes } = tokens
  for (const phrase of phrasesFrom(hashes[at] as number)) {
    const { role, steps } = phrase
    // most differ in the second word
    const second = steps[1] ?? HOLE
    if ((phrase.place & place) === 0 || (second > EXIT && second !== hashes[at + 1])) continue
    const end = endOf(phrase, tokens, at)
    if (end === 0) continue
    if ((role & FIRST) !== 0 && (told.hasBegun || !isFramed(tokens, at))) continue
    if ((role & WHOLE) !== 0 && tokens.kinds[end] !== END) continue
    if ((role & CUT) === 0) mark(tokens, told, at, phrase)
    else cut(tokens, told, at, end, phrase)
    return end
  }
  return 0
}

/** Takes what a phrase says about the answer itself. */
function mark(tokens: Tokens, told: Told, at: number, { tell, role, steps }: Phrase): void {
  if ((role & USAGE) !== 0 && told.askedForHelp) return
  if ((role & ACCEPTED) !== 0) told.accepted = true
  if ((role & FIRST) !== 0) told.refused = true
  if ((role & SCREEN) !== 0) told.screenAt ||= (tokens.starts[at] as number) + 1
  if ((role & QUOTES) !== 0) told.quotedFrom = Math.min(told.quotedFrom, at)
  if ((role & NAME) !== 0) told.named ||= steps.reduce((sum, step) => sum ^ step)
  if ((role & UNUSABLE) !== 0) told.unusable = true
  const { tells } = tokens
  const isDenied = at > 0 && ((tells[at - 1] as number) & (NO | NOT)) !== 0
  if (!isDenied) told.flags |= tell & GOOD
  tells[at] = (tells[at] as number) | (tell & ~GOOD)
}

function cut(tokens: Tokens, told: Told, from: number, to: number, phrase: Phrase): void {
  const { kinds, starts, ends } = tokens
  const { tell, role, steps } = phrase
  if (isAtEdge(tokens, from)) {
    if ((role & FAILED) !== 0) told.failed = true
    if (steps.includes(EXIT)) addExit(told, tokens, from)
  }
  told.flags |= tell & PENDING
  told.framed += (ends[to - 1] as number) - (starts[from] as number)
  for (let i = from; i < to; i++) if (kinds[i] !== END) kinds[i] = FRAME
}

/** Among the first or last words; in between it may be a log about other calls. */
const isAtEdge = ({ count }: Tokens, at: number) => at < TELLING_WORDS || at > count - TELLING_WORDS

/** Whether only the frame comes before this token. */
function isFramed({ kinds }: Tokens, at: number): boolean {
  for (let i = 0; i < at; i++) if (kinds[i] !== END && kinds[i] !== FRAME) return false
  return true
}

/** The number of lines that do not begin with a line number, as those of a file do. */
function countPlainLines({ kinds }: Tokens, to: number): number {
  let lines = 0
  for (let i = 0; i < to; i++) if (kinds[i] === WORD && (i === 0 || kinds[i - 1] === END)) lines++
  return lines
}

/** Where a phrase that begins at this token ends; 0 if it does not match. */
function endOf({ steps, before, signs }: Phrase, tokens: Tokens, at: number): number {
  const { text, kinds, hashes, starts, ends, count } = tokens
  if (before !== 0 && text.charCodeAt((starts[at] as number) - 1) !== before) return 0
  let i = at
  // the last token is a line end, which matches no step, so this never runs past it
  for (let next = 0; next < steps.length; next++) {
    const step = steps[next] as number
    if (step === HOLE || step === BLOCK) {
      const word = steps[++next]
      const second = steps[next + 1] ?? HOLE
      while (i < count && !(hashes[i] === word && (second <= EXIT || hashes[i + 1] === second))) {
        if (step === HOLE && kinds[i] === END) return word === undefined ? i : 0
        i++
      }
      // a block that is not closed continues to the end
      if (i === count) return i
    } else if (step === EXIT ? kinds[i] !== AMOUNT : hashes[i] !== step) return 0
    const sign = signs[next]
    if (sign !== 0 && text.charCodeAt(ends[i] as number) !== sign) return 0
    i++
  }
  return i
}
