// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
const ASK = '\x1b[6n'
const REPORT = /\x1b\[(\d{1,5});\d{1,5}R/
// across the world and back; a terminal that does not know the question never answers
const PATIENCE_MS = 250

/** Asks the terminal in which row the cursor is, from 0; undefined if it does not tell. */
export function askCursorRow(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    function settle(row?: number) {
      clearTimeout(timer)
      stdin.off('data', read)
      resolve(row)
    }
    function read(bytes: Buffer) {
      const [, row] = REPORT.exec(bytes.toString('latin1')) ?? []
      if (row !== undefined) settle(Number(row) - 1)
    }
    const timer = setTimeout(settle, PATIENCE_MS)
    stdin.on('data', read)
    stdout.write(ASK)
  })
}
