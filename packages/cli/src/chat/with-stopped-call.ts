import type { Agent, ClientEvent } from '@unloop/agent'

/** The events with the call that ended the run: the guard stops a turn before its last call is told. */
export async function* withStoppedCall(
  events: AsyncIterable<ClientEvent>,
  agent: Agent,
): AsyncGenerator<ClientEvent> {
  let told = new Set<string>()
  for await (const event of events) {
    if (event.type === 'turn-start') told = new Set()
    if (event.type === 'tool-call') told.add(event.id)
    if (event.type === 'loop_detected') yield* untold(agent, told)
    yield event
  }
}

/** The calls of the last turn that were not run, and that nobody was told of. */
function* untold({ history }: Agent, told: ReadonlySet<string>): Generator<ClientEvent> {
  const said = history.findLast(({ role }) => role === 'assistant')
  const results = history.findLast(({ role }) => role === 'tool')
  if (said?.role !== 'assistant' || results?.role !== 'tool') return
  for (const part of said.content) {
    if (part.type !== 'tool-call' || told.has(part.id)) continue
    const result = results.content.find(({ id }) => id === part.id)
    if (result?.outcome !== 'skipped') continue
    const { type, id, name, args } = part
    yield { type, id, name, args }
    yield { ...result, outcome: 'refused' }
  }
}
