import type { HLJSApi } from 'highlight.js'
import { printable } from '../../../printable.js'
import type { Span, Style } from '../row.js'

let library: HLJSApi | undefined

/** Loads the library; what is drawn before is plain. */
export async function loadHighlighter(): Promise<void> {
  library ??= (await import('highlight.js/lib/common')).default
}

// more than that takes too long while keys wait
const MAX_LENGTH = 50_000

/** Code with its parts in colours, where the language is known. */
export function highlight(code: string, lang = ''): Span[] {
  const language = lang.split(/[\s,{]/, 1)[0] ?? ''
  if (!library?.getLanguage(language) || code.length > MAX_LENGTH) return [{ text: code }]
  try {
    return toSpans(library.highlight(code, { language, ignoreIllegals: true }).value)
  } catch {
    return [{ text: code }]
  }
}

const STYLES: Record<string, Style> = {
  keyword: 'magenta',
  built_in: 'cyan',
  type: 'cyan',
  literal: 'yellow',
  number: 'yellow',
  string: 'green',
  regexp: 'green',
  comment: 'dim',
  quote: 'dim',
  doctag: 'dim',
  title: 'blue',
  section: 'blue',
  name: 'blue',
  attr: 'cyan',
  attribute: 'cyan',
  variable: 'yellow',
  symbol: 'yellow',
  meta: 'dim',
  addition: 'green',
  deletion: 'red',
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const styleOf = (tag: string): Style | undefined => STYLES[/hljs-(\w+)/.exec(tag)?.[1] ?? '']

/** The library's marks, which are spans and entities and nothing else. */
function toSpans(html: string): Span[] {
  const spans: Span[] = []
  const open: (Style | undefined)[] = []
  for (const [part] of html.matchAll(/<[^<>]*>|[^<]+/g)) {
    if (part === '</span>') open.pop()
    else if (part.startsWith('<')) open.push(styleOf(part) ?? open.at(-1))
    else {
      const text = part.replace(
        /&(?:amp|lt|gt|quot|#x27);/g,
        (entity) => ENTITIES[entity] ?? entity,
      )
      spans.push({ text: printable(text), style: open.at(-1) })
    }
  }
  return spans
}
