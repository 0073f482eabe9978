import type { Token, Tokens } from 'marked'
import type { Span, Style } from '../row.js'

/** What stands within a line of Markdown: weights, code, links. */
export const inlineSpans = (
  tokens: readonly Token[] | undefined,
  style: readonly StyleName[] = [],
): Span[] => (tokens ?? []).flatMap((token) => spansOf(token, style))

export type StyleName = Extract<Style, string>

function spansOf(token: Token, style: readonly StyleName[]): Span[] {
  const within = (more: StyleName) => inlineSpans(childrenOf(token), [...style, more])
  switch (token.type) {
    case 'strong':
      return within('bold')
    case 'em':
      return within('italic')
    case 'del':
      return within('strikethrough')
    case 'codespan':
      return [toSpan(decode(token.text), [...style, 'cyan'])]
    case 'link':
      return linkSpans(token as Tokens.Link, style)
    case 'image':
      return [toSpan(`${token.text || 'picture'} (${token.href})`, style)]
    case 'br':
      return [{ text: '\n' }]
    case 'checkbox':
      return []
    default: {
      const children = childrenOf(token)
      if (children) return inlineSpans(children, style)
      return [toSpan(decode('text' in token ? String(token.text) : token.raw), style)]
    }
  }
}

function linkSpans(token: Tokens.Link, style: readonly StyleName[]): Span[] {
  const text = inlineSpans(token.tokens, [...style, 'underline'])
  const isBare = token.text === token.href || `mailto:${token.text}` === token.href
  return isBare ? text : [...text, toSpan(` (${token.href})`, [...style, 'dim'])]
}

const childrenOf = (token: Token): Token[] | undefined =>
  'tokens' in token ? token.tokens : undefined

const toSpan = (text: string, style: readonly StyleName[]): Span => ({
  text,
  ...(style.length > 0 && { style: style.length === 1 ? style[0] : [...style] }),
})

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Models write some characters as HTML does. */
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name) => ENTITIES[name] ?? whole)
