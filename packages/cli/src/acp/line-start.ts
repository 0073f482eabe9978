/** What the start of a line tells about the message. */
export interface LineStart {
  /** '' for an answer, and for what is not a message */
  method: string
  /** as it is written */
  id: string | undefined
}

const START =
  /^\s{0,9}\{((?:\s{0,9}"(?:jsonrpc|id)"\s{0,9}:\s{0,9}(?:"[^"\\]*"|[\w.+-]+)\s{0,9},)*)\s{0,9}"(?:(?:result|error)"|method"\s{0,9}:\s{0,9}"([^"]*)")/
const ID = /"id"\s{0,9}:\s{0,9}("[^"\\]*"|[\w.+-]+)/

/** Reads the start of a line; nothing if it takes more of the line to tell. */
export function readStart(head: Buffer): LineStart | undefined {
  const text = head.toString('latin1')
  const found = START.exec(text)
  if (found) {
    const [, before = '', method = ''] = found
    return { method: method.replaceAll('\\/', '/'), id: ID.exec(before)?.[1] }
  }
  const first = text.trimStart()[0]
  if (first !== undefined && first !== '{') return { method: '', id: undefined }
}
