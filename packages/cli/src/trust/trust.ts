import type { Inspected } from './parts.js'
import { type Place, readAgreements, writeAgreements } from './trust-file.js'

/** Whether the person trusts a file: it is theirs, nothing in it needs trust, they agreed, or not, or not to this. */
export type Trust = 'own' | 'harmless' | 'trusted' | 'untrusted' | 'changed'

/** Whether the person trusts a file. Throws a `UsageError` if what they agreed to cannot be read. */
export function trustOf(host: Place, { file, parts, hash }: Inspected): Trust {
  if (file.isOwn) return 'own'
  if (parts.length === 0) return 'harmless'
  const agreement = readAgreements(host).get(file.place)
  if (!agreement) return 'untrusted'
  return agreement.hash === hash ? 'trusted' : 'changed'
}

/** Remembers that the person trusts a file as it is now. */
export function agree(host: Place, { file, hash }: Inspected): void {
  const agreements = readAgreements(host)
  agreements.set(file.place, { hash, at: new Date().toISOString() })
  writeAgreements(host, agreements)
}

/** Forgets that the person trusted a file; says whether they had. */
export function withdraw(host: Place, place: string): boolean {
  const agreements = readAgreements(host)
  if (!agreements.delete(place)) return false
  writeAgreements(host, agreements)
  return true
}
