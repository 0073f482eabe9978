import { redact as withoutSecrets } from 'unloop/redact'

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

/** The same for what the library has cut in its middle already. */
export const redactSample = (text: string, home = ''): string => redact(withoutHalves(text), home)

/** Takes what must not be told out of what a report quotes. */
export interface Cleaner {
  text(text: string): string
  /** The same for what the library has cut in its middle already. */
  sample(text: string): string
  /** The same for what names a thing, such as a path or a tool: home folders stay, so that it can be found. */
  name(text: string): string
}

/** Nothing is taken out if `showRaw`. */
export function createCleaner(home: string, showRaw = false): Cleaner {
  if (showRaw) return { text: same, sample: same, name: same }
  return {
    text: (text) => redact(text, home),
    sample: (text) => redactSample(text, home),
    name: remember((text) => withoutSecrets(text.includes('…') ? withoutHalves(text) : text)),
  }
}

const same = (text: string) => text

// names come again and again: more than the tools, models and folders of one person
const NAMES = 10_000

function remember(clean: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const cleaned = known.get(text) ?? clean(text)
    if (known.size < NAMES) known.set(text, cleaned)
    return cleaned
  }
}

/** Half of a secret is not known for what it is, and neither is one whose name was cut off. */
function withoutHalves(text: string): string {
  let isAfterCut = false
  let isNamed = false
  return text.replace(/[^\s"',;()[\]{}]+/g, (word) => {
    if (/^[:=\\]+$/.test(word)) {
      isNamed ||= isAfterCut && /[:=]/.test(word)
      return word
    }
    const isValue = isNamed || (isAfterCut && word.length > 5 && /\d/.test(word))
    isAfterCut = word.includes('…')
    isNamed = isAfterCut && /^-|[:=]\\*$/.test(word)
    return isAfterCut || isValue ? '…' : word
  })
}

/** Without this folder, as a path and as the name of a folder; not where another name only begins or ends like it. */
function withoutHome(text: string, home: string): string {
  if (home.length < 2) return text
  const escaped = home.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const name = home.replace(/[^A-Za-z0-9]/g, '-')
  return text
    .replace(new RegExp(`(?<![\\w.~-])${escaped}(?![\\w-]|\\.\\w)`, 'g'), '~')
    .replace(new RegExp(`(?<=^|[/\\\\\\s"'])${name}(?!\\w)`, 'g'), '-~')
}
