import { STUCK_KINDS } from '@unloop/agent'
import { suggestion } from '../nearest.js'

/** Why a prompt that begins with `/stuck` cannot be played; nothing if it can, or is another prompt. */
export function problemWithStuck(prompt: string, isEmbedded: boolean): string | undefined {
  const [word, kind, heed, ...rest] = prompt.trim().split(/\s+/)
  if (word !== '/stuck') return
  if (!isEmbedded) return '/stuck needs the embedded model; leave --model out, or give it embedded'
  if (kind !== undefined && STUCK_KINDS.includes(kind)) {
    if (rest.length === 0 && (heed === undefined || heed === 'heed')) return
    return `/stuck takes a kind and perhaps heed, got ${heed}`
  }
  const kinds = STUCK_KINDS.join(', ')
  if (kind === undefined) return `/stuck takes a kind: ${kinds}`
  return `/stuck does not know ${kind}${suggestion(kind, STUCK_KINDS)} (known: ${kinds})`
}
