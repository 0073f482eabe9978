import type { AgentEvent } from 'unloop'
import { prose, sentence, thing } from '../prose.js'
import type { Random } from '../random.js'

/** A text cut into flat strings of `size` characters, as they come from a provider's parsed stream. */
export function cutDeltas(text: string, size: number): string[] {
  const bytes = Buffer.from(text, 'latin1')
  const deltas: string[] = []
  for (let start = 0; start < bytes.length; start += size) {
    deltas.push(bytes.toString('latin1', start, start + size))
  }
  return deltas
}

export type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>

/** Different tool calls whose arguments are about `bytes` long as JSON. */
export function makeCalls(random: Random, count: number, bytes: number): CallEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const path = `src/${thing(random).replace(' ', '-')}/${random.hex(6)}.ts`
    const args = index % 2 === 0 ? oneString(random, path, bytes) : manyParts(random, path, bytes)
    return {
      type: 'tool-call',
      id: `call-${index}`,
      name: index % 2 === 0 ? 'write_file' : 'multi_edit',
      args: JSON.parse(JSON.stringify(args)),
    }
  })
}

/** Different answers of about `bytes` characters, in lines. */
export function makeAnswers(random: Random, count: number, bytes: number): string[] {
  return Array.from({ length: count }, () => flat(lines(random, bytes)))
}

function oneString(random: Random, path: string, bytes: number): unknown {
  return { path, content: lines(random, bytes - path.length - 30) }
}

function manyParts(random: Random, path: string, bytes: number): unknown {
  const edits: unknown[] = []
  for (let total = path.length + 40; total < bytes - 80; ) {
    const edit = {
      line: random.int(1, 900),
      before: sentence(random).slice(0, 90),
      after: sentence(random).slice(0, 400),
      all: random.chance(0.2),
    }
    edits.push(edit)
    total += JSON.stringify(edit).length + 1
  }
  return { path, edits, dryRun: false }
}

function lines(random: Random, length: number): string {
  return prose(random, length).replaceAll('. ', '.\n')
}

const flat = (text: string) => Buffer.from(text, 'latin1').toString('latin1')
