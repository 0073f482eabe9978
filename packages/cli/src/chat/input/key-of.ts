// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
import { type KeyName, key, type Press } from './press.js'

/** What one complete control sequence means, as `\x1b[1;5A` or `\x1bOM`. */
export function pressOf(sequence: string): Press {
  const [, kind, fields = '', final = ''] = /^\x1b([[O])([\d;:]*)([A-Za-z~])$/.exec(sequence) ?? []
  if (kind === undefined) return UNKNOWN
  if (kind === 'O') return key(final === 'M' ? 'enter' : (LETTERS[final] ?? 'unknown'))
  const [first = [], second = [], third = []] = fields.split(';').map(numbers)
  if (second[1] === RELEASED) return UNKNOWN
  if (final === 'u') return characterPress(first[1] || first[0], second[0])
  // xterm with modifyOtherKeys
  if (final === '~' && first[0] === 27) return characterPress(third[0], second[0])
  if (final === '~' && first[0] === 3 && isByWord(second[0])) return key('delete-word')
  if (final === '~') return key(NUMBERS[first[0] ?? 0] ?? 'unknown')
  const name = LETTERS[final] ?? 'unknown'
  if (isByWord(second[0]) && (name === 'left' || name === 'right')) return key(`word-${name}`)
  return key(name)
}

/** Alt and a key that has no sequence of its own. */
export function altPress(character: string): Press {
  if (character === '\r' || character === '\n') return key('newline')
  if (character === '\x7f' || character === '\b') return key('backspace-word')
  return key(ALTS[character.toLowerCase()] ?? 'unknown')
}

/** Ctrl or Alt is held, with or without Shift. */
const isByWord = (modifiers = 1) => ((modifiers - 1) & (CTRL | ALT)) !== 0

/** The key that sends this control character; the escape character is not among them. */
export function controlPress(code: number): Press {
  if (code in CONTROLS) return key(CONTROLS[code] ?? 'unknown')
  if (code >= 1 && code <= 26) return key(`ctrl-${String.fromCharCode(code + 96)}`)
  return UNKNOWN
}

/** A key that is told by its character, as the protocols of kitty and xterm do. */
function characterPress(code = 0, modifiers = 1): Press {
  // the number is one more than the bits; Caps Lock and Num Lock, the highest two, change nothing
  const bits = (Math.max(1, modifiers) - 1) & 0b111111
  if (code === 13) return key(bits === 0 ? 'enter' : 'newline')
  if (code === 27) return key('escape')
  if (CONTROLS[code] === 'backspace' && bits & (CTRL | ALT)) return key('backspace-word')
  if (code in CONTROLS) return key(bits & ~SHIFT ? 'unknown' : (CONTROLS[code] ?? 'unknown'))
  const text = characterOf(code)
  if (text === '') return UNKNOWN
  if (bits === CTRL && /^[a-z]$/i.test(text)) return key(`ctrl-${text.toLowerCase()}`)
  if (bits === ALT) return altPress(text)
  if ((bits & CTRL) !== 0 && /^[_/-]$/.test(text)) return key('undo')
  if (bits & ~SHIFT) return UNKNOWN
  return { type: 'text', text: bits & SHIFT ? text.toUpperCase() : text }
}

/** The character, unless it is a control character, half of one, or from the area in which kitty numbers its keys. */
function characterOf(code: number): string {
  if (code > 0x10ffff) return ''
  const text = String.fromCodePoint(code)
  return /[\p{Cc}\p{Cs}\p{Co}]/u.test(text) ? '' : text
}

const numbers = (field: string) => field.split(':').map(Number)

const UNKNOWN = key('unknown')
const SHIFT = 1
const ALT = 2
const CTRL = 4
// kitty tells of keys that are let go, if asked to
const RELEASED = 3

const LETTERS: Record<string, KeyName> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}

const NUMBERS: Record<number, KeyName> = { 1: 'home', 3: 'delete', 4: 'end', 7: 'home', 8: 'end' }

const ALTS: Record<string, KeyName> = { b: 'word-left', f: 'word-right', d: 'delete-word' }

const CONTROLS: Record<number, KeyName> = {
  8: 'backspace',
  9: 'tab',
  10: 'newline',
  13: 'enter',
  31: 'undo',
  127: 'backspace',
}
