import type { ContextPart } from './item.js'

/** The message with what the editor shows below it; a command to the agent is sent as it is. */
export function toRequest(text: string, context: readonly ContextPart[]): string {
  if (context.length === 0 || text.startsWith('/')) return text
  return `${text}\n\nWhat the editor shows:\n${context.map(describe).join('\n')}`
}

function describe({ path, language, lines, text }: ContextPart): string {
  const at = lines && (lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines.join(' to ')}`)
  if (text === undefined) return `- open file: ${path}${at ? `, cursor on ${at}` : ''}`
  const fence = fenceFor(text)
  return `- selected, ${at} of ${path}:\n${fence}${language}\n${text}\n${fence}`
}

/** A fence longer than any the text has. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
