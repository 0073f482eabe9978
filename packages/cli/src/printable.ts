/** The text without what would move the cursor, colour the terminal or turn the direction of what follows. */
export const printable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')

/** The text on one line, which is no command for the runner of a CI job. */
export const inOneLine = (text: string): string =>
  text
    .replace(/\n\s*/g, ' ')
    .replace(/^(\s*)::/, '$1: :')
    .replaceAll('##[', '# #[')

/** The value as JSON; what a terminal would obey is spelled out. */
export const toJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
