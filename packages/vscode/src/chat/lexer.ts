import { Lexer, type Token } from 'marked'

// each may be compared with all that follow it: five hundred take some milliseconds, and no honest paragraph has as many
const MAX_MARKS = 500

/** The blocks of a text. A paragraph, item or cell with too many marks for emphasis, code or links stays text. */
export const lex = (text: string): Token[] => new BoundedLexer({ gfm: true }).lex(text)

class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (countMarks(text) <= MAX_MARKS) return super.inlineTokens(text, tokens)
    tokens.push({ type: 'text', raw: text, text, escaped: false })
    return tokens
  }
}

function countMarks(text: string): number {
  let count = 0
  for (const character of text) if ('*_~`['.includes(character)) count++
  return count
}
