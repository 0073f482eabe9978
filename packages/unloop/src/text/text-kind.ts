/**
 * What a stretch of folded text is: `prose` says something in words, `code` has the marks of a
 * program, `data` is mostly values and separators, `marks` draws lines. Calls written out as text
 * count as prose: nobody reads them as data.
 */
export type TextKind = 'prose' | 'code' | 'data' | 'marks'

/** Stands for a number in folded text, whatever its value. */
export const NUMBER = 0x7f

/** Tells the kind of a stretch of folded text. */
export function kindOfText(text: string): TextKind {
  let lower = 0
  let upper = 0
  let foreign = 0
  let numbers = 0
  let spaces = 0
  let separators = 0
  let operators = 0
  let calls = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 97 && unit <= 122) lower++
    else if (unit >= 65 && unit <= 90) upper++
    else if (unit === NUMBER) numbers++
    else if (unit === 32 || unit === 10) spaces++
    else if (unit < 128) {
      if (MARKS[unit] === SEPARATOR) separators++
      else if (MARKS[unit] === OPERATOR) operators++
      if (unit === 40) calls++
    } else if ((unit >= 0xaa && unit < 0x2000) || unit >= 0x2c00) foreign++
  }
  const letters = lower + upper + foreign
  const { length } = text
  if (letters + numbers < length * 0.12) return 'marks'
  if (CALL.test(text)) return 'prose'
  const drawn = length - letters - numbers - spaces
  if (drawn > 0.5 * length) return 'data'
  const valued = numbers > letters * 0.25 || separators > length * 0.16
  if (valued) return calls > length * 0.008 && letters > length * 0.3 ? 'code' : 'data'
  if (operators + separators > length * (upper > lower ? 0.03 : 0.09)) return 'code'
  if (spaces >= length * 0.05 || foreign > letters / 2) return 'prose'
  // without any space it is an encoding, but for letters of one case that somebody hammers
  const hammered = (lower === letters || upper === letters) && letters > length * 0.9
  return hammered && (lower > 0 || !isOneUnit(text)) ? 'prose' : 'data'
}

/** Calls and turns written out as text, in the notations of the usual models. */
const CALL =
  /<\|?\/?(?:tool|function|im_|end_|start_|invoke)|"(?:arguments|parameters|tool_calls?|function_call)":|\[TOOL_CALL|^Action:/m

const isOneUnit = (text: string) => text === text.charAt(0).repeat(text.length)

// the shares were read off the texts of the corpus: prose stays far below, tables far above
const SEPARATOR = 1
const OPERATOR = 2
const MARKS = new Uint8Array(128)
for (const mark of ',|"\':[]{}<>/\\;') MARKS[mark.charCodeAt(0)] = SEPARATOR
for (const mark of '()=_+*&%$@^~`-') MARKS[mark.charCodeAt(0)] = OPERATOR
