import type { Any } from './any.js'

/** A request as a fetch takes it, with another body: what its headers say of the old one is left out. */
export const withBody = (request: Any, body: string): Any =>
  request.body === body
    ? request
    : { ...request, body, ...(request.headers && { headers: withoutLength(request.headers) }) }

// of the old body; the new one is sent as it is
const OF_BODY = /^(?:content-length|content-md5|(?:content-|repr-)?digest|transfer-encoding)$/i

/** The same headers, in the shape that they came in. */
function withoutLength(headers: Any): Any {
  if (Array.isArray(headers)) return headers.filter(([name]) => !OF_BODY.test(name))
  if (typeof headers.delete !== 'function')
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_BODY.test(name)))
  const copy = new headers.constructor(headers)
  for (const name of [...headers.keys()]) if (OF_BODY.test(name)) copy.delete(name)
  return copy
}
