/** The words of a command line, quotes resolved; throws for what only a shell could do. */
export function splitCommand(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (quote === "'" && character !== "'") word += character
    else if (character === quote) quote = ''
    else if (character === '`' || (character === '$' && /[\w({]/.test(line.charAt(at + 1)))) {
      throw new Error(`command substitution and variables are not supported: ${character}`)
    } else if (character === '\\') {
      const next = line.charAt(++at)
      if (next === '') throw new Error('the command ends with a backslash')
      // within quotes a backslash is one unless it is needed
      word = (word ?? '') + (quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next)
    } else if (quote !== '') word += character
    else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|&;<>()\n\r]/.test(character)) throw new Error(forbidden(character))
    else word = (word ?? '') + character
  }
  if (quote !== '') throw new Error(`a quote is not closed: ${quote}`)
  if (word !== undefined) words.push(word)
  if (words.length === 0) throw new Error('the command is empty')
  if (/^\w+=/.test(words[0] ?? '')) throw new Error('variables cannot be set in a command')
  return words
}

const forbidden = (character: string) =>
  `one program a call: pipes, redirects, "&" and ";" are not possible: ${JSON.stringify(character)}; quote it if it is part of an argument`
