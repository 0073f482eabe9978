import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseCsv } from 'csv-parse/sync'
import type { Location, Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { stuckRun, writeConversation, writeRun } from '../../test/transcripts.js'

/** A list of messages that asks for one file again and again, in one line. */
function writeMessages(folder: string): string {
  const path = join(folder, 'chat.json')
  const turns = Array.from({ length: 9 }, (_, n) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `t${n}`, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      ],
    },
    { role: 'tool', tool_call_id: `t${n}`, content: 'const a = 1' },
  ])
  writeFileSync(path, JSON.stringify([{ role: 'user', content: 'Why?' }, ...turns.flat()]))
  return path
}

async function formatted(path: string, format: string): Promise<string> {
  const { stdout } = await unloop(['scan', path, '--format', format])
  return stdout
}

async function sarifOf(path: string) {
  const log: Log = JSON.parse(await formatted(path, 'sarif'))
  const result = log.runs[0]?.results?.[0]
  const places = [
    ...(result?.locations ?? []),
    ...(result?.relatedLocations ?? []),
    ...(result?.codeFlows?.[0]?.threadFlows[0]?.locations.map((one) => one.location) ?? []),
  ]
  expect(places.length).toBeGreaterThan(5)
  const pick = (one: Location | undefined) => one?.physicalLocation
  return {
    files: [...new Set(places.map((one) => pick(one)?.artifactLocation?.uri))],
    lines: [...new Set(places.map((one) => pick(one)?.region?.startLine))],
  }
}

describe('the place of a loop', () => {
  it('is a line where a transcript has a record a line', async () => {
    const path = writeRun(emptyFolder(), 'a.jsonl', stuckRun())
    const { files, lines } = await sarifOf(path)
    expect(files).toEqual([pathToFileURL(path).href])
    expect(lines).toContain(11)
    expect(lines).not.toContain(undefined)
    expect(await formatted(path, 'pretty')).toContain(`${path}:2\n`)
    expect(await formatted(path, 'junit')).toContain(`${path}:2-35 `)
  })

  it('is an element of a document, which is no line', async () => {
    const path = writeMessages(emptyFolder())
    expect(await sarifOf(path)).toEqual({ files: [pathToFileURL(path).href], lines: [undefined] })
    expect(await formatted(path, 'pretty')).toContain(`${path}, element 2\n`)
    expect(await formatted(path, 'junit')).toContain(`${path}, elements 2 to 18 `)
    const [row] = parseCsv(await formatted(path, 'csv'), { columns: true }) as object[]
    expect(row).toMatchObject({ first_line: '', last_line: '' })
  })

  it('is a file where a transcript is a folder', async () => {
    const path = writeConversation(join(emptyFolder(), 'conv'), 9)
    const { files, lines } = await sarifOf(path)
    expect(lines).toEqual([undefined])
    expect(files).not.toContain(pathToFileURL(path).href)
    expect(files).toContain(pathToFileURL(join(path, 'events/event-00001-e1.json')).href)
    expect(await formatted(path, 'pretty')).toContain('conv/events/event-00001-e1.json\n')
  })
})
