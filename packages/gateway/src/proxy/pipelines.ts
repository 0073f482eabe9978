import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// clients send one after the other, and the few that do not send less than that
const MOST_OPEN = 8

/** Counts the requests that are open on each connection. Gives false for those that are too many, as their client sends without reading. */
export function createPipelines() {
  const open = new Map<Socket, number>()

  return ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    const count = open.get(socket) ?? 0
    if (count >= MOST_OPEN) return false
    open.set(socket, count + 1)
    response.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1
      if (left > 0) open.set(socket, left)
      else open.delete(socket)
    })
    return true
  }
}
