// what a value is assigned to, or given for on a command line
const NAME =
  '(?:pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|account|private|secret|shared|signing|encryption|master|auth)[-_ ]?key)'
const QUOTE = `\\\\{0,3}["']`
// in quotes to the next one, else to the next white space or separator
const VALUE = `(?:(${QUOTE})(?:[^"'\\\\]|\\\\[^"'\\\\])+|(?!\\[)[^\\s"'\\\\,;)}&]{4,})`

// the library has taken keys and addresses out of what it quotes; evidence and paths are quoted by us. Every
// repeat is of one set of characters or bounded, so that no text takes longer than its length allows
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[key]'],
  [
    /\b(?:(?:sk|pk|rk)[-_]|(?:gh[oprsu]|github_pat|npm|hf)_|gl(?:pat|ptt|dt|rt|ft|cbt|soat|agent)-|xox[a-z]-|xapp-|A[KS]IA|AIza|ya29\.)[\w-]{12,}/g,
    '[key]',
  ],
  [/\bSG\.[\w-]{8,}\.[\w-]{8,}/g, '[key]'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}/g, '[token]'],
  [/(?<=\b(?:bearer|basic) )[A-Za-z0-9._~+/-]{8,}=*/gi, '[token]'],
  [/((?:set-)?cookie: ?)[^\r\n"'\\]{4,}/gi, '$1[secret]'],
  [/(authorization:(?! ?(?:bearer|basic|\[)) ?)[^\r\n"'\\]{4,}/gi, '$1[secret]'],
  [
    new RegExp(`((?:${NAME}|[-_]pass)(?:${QUOTE})?\\s{0,3}(?:=>|[:=])\\s{0,3})${VALUE}`, 'gi'),
    '$1$2[secret]',
  ],
  // PWD=/srv is where a shell is
  [/(\bpwd ?= ?)(?![/~.$"'\\]|[A-Z]:)[^\s"'\\,;)}&]{4,}/gi, '$1[secret]'],
  [new RegExp(`(--(?:[a-z]{1,16}-){0,3}(?:${NAME}|pass)\\s{1,3})${VALUE}`, 'gi'), '$1$2[secret]'],
  // a user and a group are numbers
  [/(\s(?:-u|--user)[ =]["']?(?!\d+:\d)[^\s:"'\\]{1,64}:)[^\s"'\\]+/g, '$1[secret]'],
  [/(\bsig(?:nature)?=)[^\s"'\\&]{8,}/gi, '$1[secret]'],
  [/(:\/\/[^\s:/@]{0,64}:)[^\s@/]{1,256}(?=@)/g, '$1[secret]'],
  [/\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g, '[e-mail]'],
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
  return SECRETS.reduce(
    (rest, [secret, word]) => rest.replace(secret, word),
    withoutHome(text, home),
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
    sample: (text) => redact(text.replace(/[^\s"',;()[\]{}…]*…[^\s"',;()[\]{}]*/g, '…'), home),
  }
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
