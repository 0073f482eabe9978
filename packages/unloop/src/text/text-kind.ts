/**
 * What a stretch of folded text is: `prose` is words, `code` has the marks of a program, `data` is
 * mostly values and separators, `marks` draws lines. Calls written out as text count as prose,
 * because they are not meant as data.
 */
export type TextKind = 'prose' | 'code' | 'data' | 'marks'

/** Stands for a number in folded text, whatever its value. */
export const NUMBER = 0x7f

/** The kind of a stretch of folded text. */
export function kindOfText(text: string): TextKind {
  const count = (units: RegExp) => text.split(units).length - 1
  const lower = count(/[a-z]/)
  const upper = count(/[A-Z]/)
  const foreign = count(/[\xaa-\u1fff\u2c00-\uffff]/)
  const numbers = count(/\x7f/)
  const spaces = count(/[ \n]/)
  const separators = count(/[,|"':[\]{}<>/\\;]/)
  const operators = count(/[()=_+*&%$@^~`-]/)
  // the shares come from the texts of the corpus: prose stays far below, tables far above
  const letters = lower + upper + foreign
  const { length } = text
  if (letters + numbers < length * 0.12) return 'marks'
  if (CALL.test(text)) return 'prose'
  const drawn = length - letters - numbers - spaces
  if (drawn > 0.5 * length) return 'data'
  const valued = numbers > letters * 0.25 || separators > length * 0.16
  if (valued) return count(/\(/) > length * 0.008 && letters > length * 0.3 ? 'code' : 'data'
  if (operators + separators > length * (upper > lower ? 0.03 : 0.09)) return 'code'
  if (spaces >= length * 0.05 || foreign > letters / 2) return 'prose'
  // without any space it is an encoding, unless it is letters of a single case, as from a stuck key
  const hammered = (lower === letters || upper === letters) && letters > length * 0.9
  return hammered && (lower > 0 || !isOneUnit(text)) ? 'prose' : 'data'
}

/** Calls and turns written out as text, in the notations of common models. */
const CALL =
  /<(?:[|｜]\w|\/?(?:tool|function|invoke|[a-z]+_(?:files?|command|bash)>))|["'`](?:(?:arguments|parameters)["'`]: ?["'`{]|(?:tool_calls?|function_call)["'`]:|name["'`]: ?["'`][^"'`]*["'`], ?["'`]params["'`]:)|\[TOOL_CALL|^Action:/m

/** Whether numbers may be what a text is about: they are called out, or counted. */
export const isAboutNumbers = (text: string): boolean => text.split(NUMBER_SIGN).length > SHOWN / 50

const NUMBER_SIGN = String.fromCharCode(NUMBER)
/** characters that show the kind of a text */
export const SHOWN = 400
/** how many times as much a text may be whose sentences contain numbers */
export const COUNTED = 4

/** One unit repeated, such as zeros in base64, however it is cut into lines. */
export const isOneUnit = (text: string): boolean =>
  text.trim().replaceAll(text.trim().charAt(0), '').trim() === ''

/** Whether a sentence ends here. */
export const isStop = (unit: number): boolean =>
  unit === 46 ||
  unit === 33 ||
  unit === 63 ||
  unit === 59 ||
  unit === 0x3002 ||
  unit === 0xff01 ||
  unit === 0xff1f
