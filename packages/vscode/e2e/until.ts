import { setTimeout } from 'node:timers/promises'

/** Asks again and again until there is an answer that is not empty, or the time is up. */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  limitMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`)
    await setTimeout(50)
  }
}
