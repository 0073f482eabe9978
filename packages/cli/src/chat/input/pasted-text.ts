// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
/** The text of a paste: lines end in `\n`, and nothing in it is a command to a terminal. */
export const pastedText = (text: string): string =>
  text
    .replace(ESCAPES, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')

// control sequences, strings that have their end on the same line, and other pairs
const ESCAPES =
  /\x1b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|[\]PX^_][^\x07\x1b\r\n]{0,4096}(?:\x07|\x1b\\)|[ -~])?/gu
