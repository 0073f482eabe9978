/** An object of a message, whatever is in it. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The objects of a list, if it is one. */
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** What a line says, if it is JSON. */
export function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}

export const toLine = (message: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
