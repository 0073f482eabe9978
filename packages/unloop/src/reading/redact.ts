import { SECRET_FORMATS, type Secret } from './secret-formats.js'

/**
 * The text without keys, tokens, passwords, cookies and email addresses. Takes linear time: every repeat is bounded, or
 * comes at the end of an expression that has already matched.
 */
export function redact(text: string): string {
  // most quoted texts contain none of these
  if (text.length < 6) return text
  const marked = text.replace(ESCAPES, `$&${MARK}`)
  const rest = SECRETS.reduce((left, [secret, label]) => left.replace(secret, label), marked)
  return marked.length === text.length ? rest : rest.replaceAll(MARK, '')
}

/** What ends with a letter or a digit, although a word begins after it: escapes of JSON and of addresses, and colors. */
const ESCAPES =
  /\\(?:[nrtbf]|u[0-9a-f]{4}|x[0-9a-f]{2})|%[0-9A-Fa-f]{2}|\[(?:[\d;]{1,20}[A-Za-z]|[mK])/g
// no text has this character
const MARK = '\ufdd0'

// names that a secret is assigned to, or options that take one
const NAME =
  '(?:pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|account|private|secret|shared|signing|encryption|master|auth|client|service|license)[-_ ]?(?:access[-_ ]?)?(?:key|secret|token))'
const OPTION = `-{1,2}(?:[a-z]{1,16}[-_]){0,3}${NAME}`
// not what was already removed
const FRESH = '(?!\\[(?:key|token|secret|e-mail)\\])'
// up to the closing quote, else up to the next white space, but for placeholders in code; the groups keep the opening quote
const VALUE = `(?:(")${FRESH}(?:[^"\\\\]|\\\\.)+|(')${FRESH}(?:[^'\\\\]|\\\\.)+|(\\\\{1,3}["'])${FRESH}(?:[^"'\\\\]|\\\\[^"'\\\\])+|(?![\\[{]|(?:string|number|boolean|undefined|null|true|false|none|required|optional|unknown|Promise)\\b)[^\\s"'\`\\\\)}&]{3,})`
const TAKEN = '$1$2$3$4[secret]'

const SECRETS: readonly Secret[] = [
  ...SECRET_FORMATS,
  [
    /(?<=\bbearer\s{1,3})(?=\S{0,100}\d|\S{1,60}\.\w|\S{20})(?!\[)[A-Za-z0-9._~+/-]{8,}=*/gi,
    '[token]',
  ],
  [
    /(?<=\bbasic\s{1,3})(?=[A-Za-z0-9+/]{0,200}[0-9=]|[A-Za-z+/]{20})[A-Za-z0-9+/]{6,}=*/gi,
    '[token]',
  ],
  [
    /((?:cookie|authorization)\\{0,3}["']?\s{0,3}[:=](?!\s{0,3}\\{0,3}["']?(?:bearer|basic|\[[a-z]))\s{0,3}\[?\\{0,3}["']?)(?!\[[a-z])[^\r\n"'\\]{4,}/gi,
    '$1[secret]',
  ],
  [
    new RegExp(
      `((?:${NAME}|[-_]pass|\\bpass(?=["']?\\s{0,3}=))(?:\\\\{0,3}["'\`])?\\s{0,3}(?:=>|[:=])\\s{0,3})${VALUE}`,
      'gi',
    ),
    TAKEN,
  ],
  // variables of an environment, whose names say what they have
  [
    /(\b[A-Z][A-Z0-9_]{1,40}_(?:KEY|PWD|PASS|AUTH)["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[)[^\s"'\\,;)}&]{6,}/g,
    '$1[secret]',
  ],
  [
    /(\b[A-Z][A-Z0-9_]{0,40}(?:SECRET|KEY|TOKEN|PASSWORD|PAT|CREDENTIALS?)(?:_[A-Z0-9]{1,16}){0,2}["']?\s{0,3}[:=]\s{0,3}["']?)(?![[$<{/~.])(?=[^\s"'\\]{0,60}\d|[A-Za-z]{20})[^\s"'\\,;)}&]{12}[^\s"'\\,;)}&]*/g,
    '$1[secret]',
  ],
  // PWD=/srv is the current folder of a shell
  [/(\bpwd ?= ?)(?![/~.$"'\\[]|[A-Z]:)[^\s"'\\,;)}&]{4,}/gi, '$1[secret]'],
  [new RegExp(`(${OPTION}\\s{1,3})(?!-)${VALUE}`, 'gi'), TAKEN],
  [new RegExp(`(["']${OPTION}["']\\s{0,2},\\s{0,3}["'])${FRESH}[^"']{3,}`, 'gi'), '$1[secret]'],
  [
    /("name"\s{0,3}:\s{0,3}"[^"]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD)[^"]{0,20}"\s{0,3},\s{0,3}"value"\s{0,3}:\s{0,3}"|<(?:password|secret|token|api-?key)>)(?!\[)[^"<]{3,}/gi,
    '$1[secret]',
  ],
  // headers
  [
    /(\b(?:x-[a-z-]{0,30}|dd-[a-z]{3,11}-|fastly-|subscription-|circle-|private-|job-|deploy-)(?:key|token|secret)["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[)[^\s"'\\,;)}&]{8}[^\s"'\\,;)}&]*/gi,
    '$1[secret]',
  ],
  // a login of Docker
  [
    /(["']auth\\{0,3}["']\s{0,3}:\s{0,3}\\{0,3}["'])(?=[A-Za-z+/]{0,60}[\d=]|[A-Za-z+/]{20})[A-Za-z0-9+/]{12}[A-Za-z0-9+/]*=*(?=\\{0,3}["'])/g,
    '$1[secret]',
  ],
  // the way people write it, or after the name of a user
  [
    /(\b(?:password|passphrase|passwd)(?: is)?:? |\bpass:|\/user:[^\s"']{1,80}\s{1,3})(?![/[])(?=\S{0,64}[\d!@#$%^&*]|[A-Za-z]{20})[^\s"'\\]{4,}/gi,
    '$1[secret]',
  ],
  // command lines, .netrc, and .pgpass with a port that is one of PostgreSQL
  [
    /(\bsshpass\s{1,3}-p\s{0,3}|\blogin\s[^\n]{0,80}?\s(?:-p|password)\s{1,3}|\bmysql\w{0,8}\s[^\n]{0,80}?\s-p|\b(?:sqlcmd|bcp)\s[^\n]{0,80}?\s-P ?|\bmongo\w{0,7}\s[^\n]{0,80}?\s-p |\bredis-cli\s[^\n]{0,80}?-a |\bldap\w{3,8}\s[^\n]{0,80}?-w |--from-literal[= ]["']?[\w.-]{1,64}=|-pass(?:in|out)?\s{1,3}["']?pass:|\bnet\s{1,3}use\s{1,3}(?:[A-Za-z*]:?\s{1,3})?\\{2,8}[^\s"']{1,200}\s{1,3}|:(?:543\d|6432):[\w*-]{1,64}:[\w*-]{1,64}:)(\\{0,3}["']?)(?![[/])[^\s"'\\]{3,}/g,
    '$1$2[secret]',
  ],
  // a user and a group are numbers
  [
    /(\s(?:-u|--user)[ =]["']?(?!\d{1,10}:\d|https?:)[^\s:"'\\]{1,64}:)(?!\[)[^\s"'\\]+/g,
    '$1[secret]',
  ],
  [/(\b(?:sig|signature|x-amz-[a-z-]{1,24})=)(?!\[)[^\s"'\\&]{8,}/gi, '$1[secret]'],
  [/(:\/\/[^\s:/@]{0,64}:)(?!\[)[^\s@/]{1,256}(?=@)/g, '$1[secret]'],
  [
    /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z][\w-]{0,63}(?:\.[\w-]{1,64}){0,7}\.[A-Za-z]{2,24}\b/g,
    '[e-mail]',
  ],
]
