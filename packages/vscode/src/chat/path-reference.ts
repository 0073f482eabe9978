/** A place in a file, as it is written in texts: `src/a.ts:12`. */
export interface Reference {
  path: string
  /** from 1 */
  line?: number
}

// longer ones are no paths that anybody has written
const MAX_CHARACTERS = 300

/** The place that a word names; undefined if it is none, or leads elsewhere. */
export function toReference(word: string): Reference | undefined {
  if (word.length > MAX_CHARACTERS) return
  const [, path = '', colon, hash] =
    word.match(/^([^:#?*|"<>\s]+)(?::(\d+)(?::\d+)?|#L(\d+))?$/) ?? []
  // a name has an ending, or it would be any word
  if (!/[\w)\]-]\.\w{1,10}$/.test(path) || path.startsWith('/') || path.startsWith('~')) return
  if (path.split(/[\\/]/).includes('..')) return
  const line = Number(colon ?? hash)
  return { path, ...(line > 0 && { line }) }
}
