import { redact as withoutSecrets } from 'unloop'

// every repeat is of one set of characters or bounded, so that no text takes longer than its length allows
const HOMES: readonly (readonly [RegExp, string])[] = [
  // of Windows first, whose names may have spaces in them
  [
    /\b[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4}(?:[^\\/<>:"|?*\r\n]{1,64}(?=[\\/])|[^\\/\s"'<>:|?*]+)/g,
    '~',
  ],
  [
    /(?<![\w.~-])(?:\/mnt\/[a-z]|\/[a-z]|\/var|\/export|\/Volumes\/\w+)?\/(?:home|Users)\/[^/\s"'\\:]+/g,
    '~',
  ],
  // as Claude Code names the folder of a project
  [/(?<=^|[/\\\s"'])(?:[A-Za-z]-)?-(?:home|Users)-[^-/\\\s"'.]+/g, '-~'],
]

/** The text without keys, tokens, passwords, addresses of people and names of home folders. */
export function redact(text: string, home = ''): string {
  return HOMES.reduce(
    (rest, [folder, word]) => rest.replace(folder, word),
    withoutSecrets(withoutHome(text, home)),
  )
}

/** Takes what must not be told out of what a report quotes. */
export interface Cleaner {
  text(text: string): string
  /** The same for what the library has cut in its middle already. */
  sample(text: string): string
}

/** Nothing is taken out if `showRaw`. */
export function createCleaner(home: string, showRaw = false): Cleaner {
  if (showRaw) return { text: (text) => text, sample: (text) => text }
  return {
    text: (text) => redact(text, home),
    // half of a secret is not known for what it is
    sample: (text) => redact(text.replace(/[^\s"',;()[\]{}]+/g, withoutHalves), home),
  }
}

const withoutHalves = (word: string) => (word.includes('…') ? '…' : word)

/** Without this folder, as a path and as the name of a folder; not where another name only begins or ends like it. */
function withoutHome(text: string, home: string): string {
  if (home.length < 2) return text
  const escaped = home.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const name = home.replace(/[^A-Za-z0-9]/g, '-')
  return text
    .replace(new RegExp(`(?<![\\w.~-])${escaped}(?![\\w-]|\\.\\w)`, 'g'), '~')
    .replace(new RegExp(`(?<=^|[/\\\\\\s"'])${name}(?!\\w)`, 'g'), '-~')
}
