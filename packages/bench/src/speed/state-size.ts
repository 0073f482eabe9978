import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface StateSize {
  /** live bytes of one session after garbage collection, including typed arrays */
  liveBytes: number
  /** the largest snapshot as UTF-8 JSON */
  snapshotBytes: number
}

/** Measures the state of one default guard in its own process, where nothing else affects the heap. */
export async function measureState(seed: number): Promise<StateSize> {
  const child = fileURLToPath(new URL('./state-size-child.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    child,
    String(seed),
  ])
  return JSON.parse(stdout)
}
