// A process that adds lines to a journal, for the tests: it prints a line's nonce once the line has been added.
import { writeSync } from 'node:fs'
import { add, save } from '../dist/hook/journal.js'

const [, , folder, name, count] = process.argv
for (let i = 0; i < Number(count); i++) {
  const nonce = `${name}-${i}`
  const reading = add(folder, { nonce, filler: 'x'.repeat((i * 37) % 500) })
  // as hooks do, only sooner
  if (reading.lines.length >= 6) {
    const before = reading.saved ?? []
    save(folder, reading, [...before, ...reading.lines.map((line) => line.nonce)])
  }
  writeSync(1, `${nonce}\n`)
}
