/**
 * A `fetch` that does not follow redirects: a redirect would take the key along, in headers that `fetch` does not know as
 * secret. And one that can be ended: Node's own forgets its signal once the garbage collector has been there, and the
 * connection of an answer that was given up stays open.
 */
export const fetchStraight: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  const { body } = response
  if (!body || !init?.signal) return response
  return new Response(endedBy(body, init.signal), response)
}

/** The same stream, given up when the signal says so. */
function endedBy(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
  const reader = body.getReader()
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      signal.removeEventListener('abort', cancel)
      if (signal.aborted) controller.error(signal.reason)
      else controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
