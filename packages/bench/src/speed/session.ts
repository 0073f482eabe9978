import type { AgentEvent } from 'unloop'
import { prose } from '../prose.js'
import { createRandom } from '../random.js'
import { cutDeltas, makeAnswers, makeCalls } from './material.js'

/** A session that uses all of a guard's state: calls with answers, and text and reasoning in between. */
export function* makeSession(seed: number): Generator<AgentEvent> {
  const random = createRandom(seed)
  const turns = 80
  const calls = makeCalls(random, turns, 400)
  const answers = makeAnswers(random, turns, 1_500)
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 40 === 0) yield { type: 'prompt', id: `p${turn}`, text: prose(random, 200) }
    yield { type: 'turn-start' }
    // both texts must be longer than any history that is kept
    for (const text of cutDeltas(prose(random, 400), 20)) yield { type: 'reasoning', text }
    for (const text of cutDeltas(prose(random, 400), 20)) yield { type: 'text', text }
    const call = calls[turn]
    if (!call) continue
    yield call
    yield { type: 'tool-result', id: call.id as string, name: call.name, output: answers[turn] }
  }
  for (const text of cutDeltas(prose(random, 20_000), 20)) yield { type: 'reasoning', text }
  for (const text of cutDeltas(prose(random, 20_000), 20)) yield { type: 'text', text }
}
