import { printable } from '../../printable.js'

// brackets and quotes may stand before it; a quote that is not closed ends with its line
const MENTION = /(?<=^|[\s([{<`'"])@(?:"([^"\n]{1,1024})(?:"|$)|([^\s"]{1,1024}))/gm
const OPEN_MENTION = /(?:^|[\s([{<`'])@(?:"([^"\n]{0,256})|([^\s"]{0,256}))$/

/** The paths that a text names as `@path` or `@"a path"`, each once. */
export const pathsIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MENTION), ([, quoted, bare]) => quoted ?? bare ?? '')),
]

/** The mention that is being written at the end of a text: the path so far, and where the `@` stands. */
export function openMention(text: string): { path: string; from: number } | undefined {
  const [, quoted, bare] = OPEN_MENTION.exec(text) ?? []
  if (quoted !== undefined) return { path: quoted, from: text.length - quoted.length - 2 }
  return bare === undefined ? undefined : { path: bare, from: text.length - bare.length - 1 }
}

/** How a path is written in a message; nothing if it cannot be. The quote of a folder stays open for more. */
export function toMention(path: string): string | undefined {
  if (/["\n]/.test(path) || printable(path) !== path) return
  if (!/\s/.test(path)) return `@${path}`
  return path.endsWith('/') ? `@"${path}` : `@"${path}"`
}
