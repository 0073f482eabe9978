import { hashOf } from './words.js'

/** What single words of an answer tell; the bits of `flagOf`. */
export const ERROR = 1
export const OUTAGE = 2
export const NOTHING = 4
export const PENDING = 8
/** a number behind it only tells where or which */
export const COUNTED = 16
/** "no", "not": what follows is denied */
export const NOT = 32
/** what is not there if it is denied */
export const ABSENT = 64
/** an error if the answer is short */
export const HINT = 128
/** "Error: (none)" */
export const NONE = 256
export const EXIT = 512
export const CODE = 1024
export const SUCCESS = 2048
/** a word stands between "no" and what it denies */
export const DENIED = 4096
/** out of reach for now if it is a service: a tool that is unavailable does not exist */
export const UNAVAILABLE = 8192
export const SERVICE = 16_384
/** good news if it is denied: "no problems found" */
export const TROUBLE = 32_768

// several times as many as there are spellings, so that a word that tells nothing finds an empty slot at once
const TABLE = 4096
const hashes = new Int32Array(TABLE)
const flags = new Uint16Array(TABLE)

/** The bits for a word, by its hash; 0 for all others. */
export function flagOf(hash: number): number {
  let slot = hash & (TABLE - 1)
  while (flags[slot] !== 0) {
    if (hashes[slot] === hash) return flags[slot] as number
    slot = (slot + 1) & (TABLE - 1)
  }
  return 0
}

function tell(bits: number, words: string): void {
  for (const word of words.split(' ')) {
    const capital = word.charAt(0).toUpperCase() + word.slice(1)
    for (const spelling of [word, capital, word.toUpperCase()]) {
      const hash = hashOf(spelling)
      let slot = hash & (TABLE - 1)
      while (flags[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (TABLE - 1)
      hashes[slot] = hash
      flags[slot] = (flags[slot] as number) | bits
    }
  }
}

tell(
  ERROR,
  'error exception traceback failed failure fatal cannot unable invalid denied undefined unexpected unknown rejected refused timeout unavailable enoent eacces unauthorized forbidden unsupported unrecognized aborted',
)
tell(
  OUTAGE,
  'timeout refused overloaded econnrefused econnreset econnaborted etimedout enotfound eai_again getaddrinfo enetunreach ehostunreach unreachable throttled throttling ratelimit',
)
tell(UNAVAILABLE, 'unavailable')
tell(SERVICE, 'service server temporarily temporary currently api gateway host backend upstream')
tell(
  TROUBLE,
  'problem problems issue issues warnings errors failures vulnerabilities violations offenses conflicts complaints',
)
tell(HINT, 'required must missing bad wrong incorrect illegal')
tell(NOTHING, 'nothing')
tell(NOT, 'no not zero without any')
tell(
  ABSENT,
  'found find matches match results result files file such output changes items entries data records rows hits exist exists page',
)
tell(
  SUCCESS,
  'updated successfully success created saved written applied replaced modified passed done ok',
)
tell(NONE, 'none null nil empty')
tell(EXIT, 'exit exited return')
tell(CODE, 'code status')
tell(CODE | EXIT, 'returncode exitcode exit_code')
tell(
  PENDING,
  'pending running queued processing waiting progress building starting scheduled inprogress in_progress creating provisioning deploying installing',
)
tell(
  COUNTED,
  'error pid pids pgid line lines port attempt retry try request job session seq process thread worker took',
)

export const ERROR_CODES = new Set(['400', '401', '403', '404', '405', '422', '500'].map(hashOf))
export const OUTAGE_CODES = new Set(['429', '502', '503', '504', '529'].map(hashOf))
