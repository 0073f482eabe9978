import { setTimeout } from 'node:timers/promises'

/** How long a condition may take: far longer than it does on the slowest machine, and less than a test may. */
export const LIMIT_MS = 300_000

/** Asks again and again until there is an answer that is not empty; the limit is for what never comes. */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  limitMs = LIMIT_MS,
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`)
    await setTimeout(50)
  }
}
