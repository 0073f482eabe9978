import type { ClientEvent, ClientEventType } from '../src/client-event.js'

/** All events of a stream. */
export async function collect(stream: AsyncIterable<ClientEvent>): Promise<ClientEvent[]> {
  const events: ClientEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The events of one type. */
export const ofType = <T extends ClientEventType>(events: readonly ClientEvent[], type: T) =>
  events.filter((event): event is Extract<ClientEvent, { type: T }> => event.type === type)
