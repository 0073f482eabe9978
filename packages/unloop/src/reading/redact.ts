import { SECRET_FORMATS } from './secret-formats.js'

/**
 * The text without keys, tokens, passwords, cookies and email addresses. Takes linear time: every repeat is bounded, or
 * comes at the end of an expression that has already matched.
 */
export function redact(text: string): string {
  // most quoted texts contain none of these
  if (text.length < 6) return text
  const known = text.length < SHORTEST_FORMAT ? text : without(SECRET_FORMATS, text)
  return without(SECRETS, known)
}

const SHORTEST_FORMAT = 12

const without = (secrets: typeof SECRETS, text: string): string =>
  secrets.reduce((rest, [secret, label]) => rest.replace(secret, label), text)

/** The prefixes of service keys; what follows one that could be a word has a digit, or is longer than words are. */
const PREFIXES = [
  '(?:sk-(?:ant|proj|svcacct|or)-|(?:gh[oprsu]|github_pat|dop_v1|doo_v1|dor_v1|shp(?:at|ca|pa|ss)|dckr_pat|rubygems|pscale_(?:tkn|pw)|lsv2_(?:pt|sk)|sntry[su])_)',
  '(?:(?:sk|pk|rk|whsec)[-_]|(?:npm|hf|r8|gsk|lin_api|sbp|figd|glsa|glc|vercel_blob_rw|nfp|ntn|tskey)_)(?=[\\w*.-]{0,80}[\\d*]|(?:live_|test_)?[A-Za-z]{20})',
  'gl(?:pat|ptt|dt|rt|ft|cbt|soat|agent)-',
  '(?:xox[a-z]|xapp|xai|pplx|tvly|nvapi|pypi|tskey|GOCSPX)-',
  '(?:A[KS]IA|ABIA|ACCA|AROA|AIza|ATATT3|ATCTT3|EAAC|EZAK|LTAI|AKCp|dapi(?=[0-9a-f]{16})|key-(?=[0-9a-f]{32}))',
  '(?:ya29|SG|hv[bs]|dp\\.[ps]t)\\.',
  'AGE-SECRET-KEY-1',
  // a web token, or any other base64 record
  'eyJ(?=[\\w*.-]{0,80}\\d|[A-Za-z]{20})',
].join('|')

// names that a secret is assigned to, or options that take one
const NAME =
  '(?:pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|account|private|secret|shared|signing|encryption|master|auth|client|service|license)[-_ ]?(?:access[-_ ]?)?(?:key|secret|token))'
const QUOTE = `\\\\{0,3}["'\`]`
// not what was already removed
const FRESH = '(?!\\[(?:key|token|secret|e-mail)\\])'
// placeholders for a value in code
const WORDS =
  '(?!(?:string|number|boolean|undefined|null|true|false|none|required|optional|unknown|Promise)\\b)'
// up to the closing quote, else up to the next white space; the groups keep the opening quote
const VALUE = [
  `(")${FRESH}(?:[^"\\\\]|\\\\.)+`,
  `(')${FRESH}(?:[^'\\\\]|\\\\.)+`,
  `(\\\\{1,3}["'])${FRESH}(?:[^"'\\\\]|\\\\[^"'\\\\])+`,
  `(?![\\[{])${WORDS}[^\\s"'\`\\\\)}&]{3,}`,
].join('|')
const TAKEN = '$1$2$3$4[secret]'

const SECRETS: readonly (readonly [secret: RegExp, label: string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET)[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g,
    '[key]',
  ],
  [new RegExp(`(?<![A-Za-z0-9])(?:${PREFIXES})[\\w*-]{10}[\\w*.~+/-]*=*`, 'g'), '[key]'],
  // Telegram bots
  [/(?<=^|bot|[^A-Za-z0-9])\d{8,10}:[A-Za-z0-9_-]{35}/g, '[key]'],
  [
    /(?<=hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,25}\/)[\w/-]{8,}/g,
    '[key]',
  ],
  [
    /(?<=\bbearer\s{1,3})(?=\S{0,100}\d|\S{1,60}\.\w|\S{20})(?!\[)[A-Za-z0-9._~+/-]{8,}=*/gi,
    '[token]',
  ],
  [
    /(?<=\bbasic\s{1,3})(?=[A-Za-z0-9+/]{0,200}[0-9=]|[A-Za-z+/]{20})[A-Za-z0-9+/]{6,}=*/gi,
    '[token]',
  ],
  [
    /((?:set-)?cookie\\{0,3}["']?\s{0,3}[:=](?!\s{0,3}\\{0,3}["']?\[secret\])\s{0,3}(?:\[(?!secret))?\\{0,3}["']?)(?!\[secret\])[^\r\n"'\\]{4,}/gi,
    '$1[secret]',
  ],
  [
    /(authorization\\{0,3}["']?\s{0,3}[:=](?!\s{0,3}\\{0,3}["']?(?:bearer|basic|\[))\s{0,3}\\{0,3}["']?)[^\r\n"'\\]{4,}/gi,
    '$1[secret]',
  ],
  [
    new RegExp(
      `((?:${NAME}|[-_]pass|\\bpass(?=["']?\\s{0,3}=))(?:${QUOTE})?\\s{0,3}(?:=>|[:=])\\s{0,3})(?:${VALUE})`,
      'gi',
    ),
    TAKEN,
  ],
  [
    /(\b[A-Z][A-Z0-9_]{1,40}_(?:KEY|PWD|PASS|AUTH)["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[)[^\s"'\\,;)}&]{6,}/g,
    '$1[secret]',
  ],
  // PWD=/srv is the current folder of a shell
  [/(\bpwd ?= ?)(?![/~.$"'\\[]|[A-Z]:)[^\s"'\\,;)}&]{4,}/gi, '$1[secret]'],
  [new RegExp(`(-{1,2}(?:[a-z]{1,16}[-_]){0,3}${NAME}\\s{1,3})(?!-)(?:${VALUE})`, 'gi'), TAKEN],
  [
    new RegExp(
      `(["']-{1,2}(?:[a-z]{1,16}[-_]){0,3}${NAME}["']\\s{0,2},\\s{0,3}["'])${FRESH}[^"']{3,}`,
      'gi',
    ),
    '$1[secret]',
  ],
  [
    /("name"\s{0,3}:\s{0,3}"[^"]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD)[^"]{0,20}"\s{0,3},\s{0,3}"value"\s{0,3}:\s{0,3}")(?!\[)[^"]{3,}/gi,
    '$1[secret]',
  ],
  [/(<(?:password|secret|token|api-?key)>)(?!\[)[^<]{3,}/gi, '$1[secret]'],
  // .netrc, and the way people write it
  [
    /(\b(?:password|passphrase|passwd)(?: is)?:? )(?=\S{0,64}[\d!@#$%^&*]|[A-Za-z]{20})(?!\[)[^\s"'\\]{4,}/gi,
    '$1[secret]',
  ],
  [
    /(\bsshpass\s{1,3}-p\s{0,3}|\blogin\s[^\n]{0,80}?\s-p\s{1,3}|\bmysql\w{0,8}\s[^\n]{0,80}?\s-p|\b(?:sqlcmd|bcp)\s[^\n]{0,80}?\s-P ?|\bmongo\w{0,7}\s[^\n]{0,80}?\s-p |\bredis-cli\s[^\n]{0,80}?-a |\bldap\w{3,8}\s[^\n]{0,80}?-w )(\\{0,3}["']?)(?!\[)[^\s"'\\]{3,}/g,
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
