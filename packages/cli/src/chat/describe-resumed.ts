import type { SessionHeader } from '@unloop/agent'
import { ago } from '../sessions/words.js'

/** `resumed NAME, begun 2 hours ago` */
export function describeResumed({ name, id, createdAt }: SessionHeader, now: number): string {
  const begun = Date.parse(createdAt)
  if (Number.isNaN(begun)) return `resumed ${name ?? id}`
  const age = ago(begun, now)
  return `resumed ${name ?? id}, begun ${age === 'now' ? 'just now' : age}`
}
