import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SEED = 1
// as long as a long answer of a coding agent
const CHARACTERS = 40_000

/** The provider's answer, in words for a heading. */
export const ANSWER = `an answer of ${CHARACTERS} characters, seed ${SEED}`

/** A provider that answers with a long text, in its own process, so that its time is not counted. */
export async function startProviderProcess(): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(new URL('provider-child.js', import.meta.url)), [
    `${SEED}`,
    `${CHARACTERS}`,
  ])
  const [url] = (await once(child, 'message')) as [string]
  return { url, stop: () => void child.kill() }
}
