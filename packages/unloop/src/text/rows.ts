/**
 * Whether a stretch of folded text is made of rows: lines that begin with a time or a number, as in logs and
 * listings. Rows may differ only in their numbers; only those of a log may be exactly the same.
 */
export function areRows(text: string, exact: boolean): boolean {
  // the first and the last line are rarely complete
  const lines = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1).match(/.+/g) ?? []
  const are = (kind: RegExp) => lines.filter((line) => kind.test(line)).length
  return exact
    ? are(TIMED) > 0 && 2 * are(TIMED) >= lines.length
    : are(TIMED) + are(VERSION) > 0 || 2 * are(NUMBERED) > lines.length
}

/** A line that begins with a time or a day. */
export const TIMED = /^.{0,3}\x7f:\x7f|^.{0,48}\x7f:\x7f:\x7f|^.{0,16}\x7f([-/])\x7f\1\x7f/

/** the start of a changelog entry of any length */
const VERSION = /^.{0,16}\x7f\.\x7f\.\x7f/

/** a number in the first word, but not a list number, because list items are sentences; or a log level */
const NUMBERED =
  /^[ -/:-@[-`{-~]*(?:(?:[A-Za-z][^\s\x7f]*)?\x7f(?![.)]+[\s*]|、|\.\x7f[.)]? [A-Z][a-z]+ )|[A-Z]{4,}[\]:])/
