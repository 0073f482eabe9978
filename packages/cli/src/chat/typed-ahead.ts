import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

/**
 * Turns the terminal's own line editing off and gives the lines that were typed until now. Before that Enter is a
 * line end, and after it the same character is Ctrl+J; so they are taken apart here. A line without its Enter stays
 * to be read.
 */
export async function takeTypedAhead(stdin: NodeJS.ReadStream): Promise<string[]> {
  let text = ''
  const take = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) text += chunk
  }
  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.on('readable', take)
  // what waits is read in the next round of the event loop, which may begin after the first of them
  await setImmediate()
  await setImmediate()
  stdin.off('readable', take)
  const lines = text.split(/\r\n?|\n/)
  const rest = lines.pop()
  if (rest) stdin.unshift(rest)
  return lines.map((line) => stripVTControlCharacters(line).replace(/\p{Cc}/gu, ''))
}
