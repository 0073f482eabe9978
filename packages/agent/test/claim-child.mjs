// Claims the locks whose paths come in, one a line, and prints what came of each; its parent kills it, or ends its input.
import { createInterface } from 'node:readline'
import { claim } from '../dist/claim.js'

process.stdout.write('ready\n')
for await (const lock of createInterface({ input: process.stdin })) {
  process.stdout.write(`${claim(lock).type}\n`)
}
