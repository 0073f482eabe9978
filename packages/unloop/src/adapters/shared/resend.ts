import type { Any } from './any.js'

/** A request as a fetch takes it, with another body: what its headers say of the old one is left out. */
export const withBody = (request: Any, body: string): Any =>
  request.body === body
    ? request
    : { ...request, body, ...(request.headers && { headers: withoutLength(request.headers) }) }

// of the old body; the new one is sent as it is
const OF_BODY = /^(?:content-length|content-md5|(?:content-|repr-)?digest|transfer-encoding)$/i

/** The same headers, in the shape that they came in if it can be made once more. */
function withoutLength(headers: Any): Any {
  const isKept = ([name]: Any) => !OF_BODY.test(name)
  if (!headers[Symbol.iterator]) return Object.fromEntries(Object.entries(headers).filter(isKept))
  if (!headers.delete) return [...headers].filter(isKept)
  const copy = new headers.constructor(headers)
  for (const pair of headers) if (!isKept(pair)) copy.delete(pair[0])
  return copy
}
