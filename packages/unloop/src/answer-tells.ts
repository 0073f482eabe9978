import { addTo, classOf, DIGIT, hashOf, hasWord, isLatin, LETTER, type WordSet } from './words.js'

// what an answer says of itself stands in its first words, and a verdict has few of them
const HEAD = 400
const SHORT = 60

/** An editor or a writer says that it did as it was told. */
export const isAcceptance = (text: string): boolean => ACCEPTED.test(text.slice(0, HEAD))

const ACCEPTED =
  /^\s*(?:\[File updated|Done!|Success\. Updated the following files|Edit applied|Successfully (?:wrote|created|edited|updated|replaced|modified|overwrote|saved|deleted)|(?:The )?file [^\n]{1,200}(?:has been (?:updated|edited|created|written|saved)|(?:created|updated|edited|saved|written|overwritten) successfully)|File (?:created|updated|edited|saved|written) successfully)/i

/** A short verdict about one place: all is well there. */
export const isVerdict = (text: string): boolean => text.length < SHORT && VERDICT.test(text)

const VERDICT =
  /^\W{0,4}(?:ok|okay|healthy|valid|clean|up.to.date|passed|(?:no|0|without) (?:problems?|issues?|errors?|warnings?|lint\w*|type errors?|vulnerabilities|diagnostics|violations)\b|(?:all|every) (?:checks?|tests?)? ?pass|success: no issues found)/i

/** Words that only say that there is no output. */
export const isSilence = (text: string): boolean => text.length < 120 && SILENT.test(text)

const SILENT =
  /^\W{0,4}(?:(?:\w+ )?completed with no output|no (?:content|output)\b|tool ran without output|your command ran successfully and did not produce any output)/i

/** What a page shows, equal however its elements are numbered; 0 for what is no page. */
export function screenOf(text: string): number {
  return SCREEN.test(text.slice(0, 2 * HEAD)) ? hashWords(text, 0, Math.min(text.length, 4096)) : 0
}

const SCREEN = /(?:^|\n)\W{0,4}(?:Page URL|Current URL|URL): |\[ref=\w+\]|\[\d+\]<\w+/i

/** The class of an error and what it says, without what is quoted, numbers, paths and the words of the call. */
export function errorNameOf(text: string, echo: WordSet): number {
  const traced = text.includes('Traceback (most recent call last)')
  const lines = text.slice(0, HEAD * 5).split('\n')
  const line = traced ? lastLine(text) : (lines.find((each) => ERROR.test(each)) ?? lines[0] ?? '')
  const bare = line.slice(0, HEAD).replace(ASIDE, ' ')
  // an error that is quotation all over is known by it
  return hashWords(bare, 0, bare.length, echo) || hashWords(line, 0, line.length) || 1
}

const lastLine = (text: string) => {
  const end = text.trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1)
}

const ERROR = /error|exception|fail|fatal|denied|cannot|unable|invalid|not found|usage:/i
/** quotations, and what has a slash or a dot in it */
const ASIDE = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`|[\w~.-]{0,40}[/\\][^\s:]{0,200}/g

/** A hash of the words, those aside that have a digit in them or that the call said itself. */
function hashWords(text: string, from: number, to: number, echo?: WordSet): number {
  let all = 0
  for (let i = from; i < to; i++) {
    let word = 0
    let digits = 0
    for (; i < to; i++) {
      const unit = text.charCodeAt(i)
      const kind = isLatin(unit) ? LETTER : classOf(unit)
      if (kind > DIGIT) break
      if (kind === DIGIT) digits++
      word = addTo(word, unit)
    }
    if (word !== 0 && digits === 0 && word !== REF && !(echo && hasWord(echo, word))) {
      all = addTo(all, word)
    }
  }
  return all
}

const REF = hashOf('ref')
