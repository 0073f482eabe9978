import type { PublishedPeer } from '../published/load.js'
import { type CallSpeed, measureCalls } from './call-speed.js'
import { createContenders } from './contenders.js'
import { measureState, type StateSize } from './state-size.js'
import { measureText, type TextSpeed } from './text-speed.js'

export interface SpeedResults {
  seed: number
  node: string
  texts: TextSpeed[]
  calls: CallSpeed[]
  state: StateSize
}

/** Everything `bench:speed` measures, in one run. */
export async function measureSpeed(
  seed: number,
  peers: readonly PublishedPeer[],
  progress: (line: string) => void,
): Promise<SpeedResults> {
  const contenders = createContenders(peers)
  progress('state …')
  const state = await measureState(seed)
  progress('tool calls …')
  const calls = measureCalls(contenders, seed)
  progress('text …')
  const texts = measureText(contenders, seed)
  return { seed, node: process.version, texts, calls, state }
}
