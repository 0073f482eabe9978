import type { Format } from './format.js'
import { claudeCode } from './formats/claude-code.js'
import { codex } from './formats/codex.js'
import { eventLines } from './formats/event-lines.js'

/** All formats that can be read, in the order in which they are tried: those that are easy to tell come first. */
export const formats: readonly Format[] = [eventLines, codex, claudeCode]
