import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RecordedCase, RecordedRequest, RecordedVerdict } from '@unloop/testing'
import { createReducer } from './reduce.js'
import type { Take } from './tape.js'

const folder = fileURLToPath(new URL('../../recordings/', import.meta.url))

/** What a case says besides its requests. */
export type CaseText = Omit<RecordedCase, 'requests' | 'origin'> &
  Partial<Pick<RecordedCase, 'origin'>>

/** Makes the recorder of one run: each case takes some of its requests, with the verdict on each. */
export function createWriter(takes: readonly Take[], ours: readonly string[]) {
  const reduce = createReducer(ours)
  // in order, so that the same text has the same stand-in in every case
  const requests = takes.map(reduce)
  return async (
    { name, client, origin = 'recorded', edit, kinds, why }: CaseText,
    chosen: readonly [at: number, verdict?: RecordedVerdict][],
    change: (request: RecordedRequest) => RecordedRequest = (request) => request,
  ): Promise<void> => {
    const made = chosen.map(([at, verdict]) => {
      const request = requests.at(at)
      if (!request) throw new Error(`${name}: there are ${requests.length} requests, not ${at}`)
      return { ...change(request), ...(verdict && { verdict }) }
    })
    const text = { client, origin, ...(edit && { edit }), kinds, why, requests: made }
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}${name}.json`, `${toLines(text)}\n`)
  }
}

/** JSON with a line for each message, which is as long as it has to be and as short as it can be. */
function toLines(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth >= MESSAGE) return JSON.stringify(value)
  const isList = Array.isArray(value)
  if (isList && value.every((item) => typeof item !== 'object')) return JSON.stringify(value)
  const lines = Object.entries(value).map(([name, item]) => {
    // the tools are the same in each request
    const text = name === 'tools' ? JSON.stringify(item) : toLines(item, depth + 1)
    return `${'  '.repeat(depth + 1)}${isList ? '' : `${JSON.stringify(name)}: `}${text}`
  })
  const [start, end] = isList ? '[]' : '{}'
  return lines.length === 0
    ? `${start}${end}`
    : `${start}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${end}`
}

// case, requests, request, body, messages: what is below is on one line
const MESSAGE = 5
