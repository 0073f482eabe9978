import { UsageError } from '../exit-code.js'

/** What a file in JSON says; throws a `UsageError` if it is none. */
export function parseJson(path: string, content: Buffer): unknown {
  try {
    // some editors begin a file with a mark of its encoding
    return JSON.parse(content.toString('utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    // without what stands there: the file may be a link to another
    const reason = (error as Error).message.replace(/, (?:\.{3})?".*/s, '')
    throw new UsageError(`${path} cannot be read: ${reason}`)
  }
}
