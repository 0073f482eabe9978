import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentEvent } from 'unloop'
import {
  type ReadOptions,
  readTranscript,
  type Summary,
  type TranscriptItem,
} from '../src/index.js'

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

export interface Read {
  items: TranscriptItem[]
  /** without their times, which are looked at where they matter */
  events: AgentEvent[]
  summary: Summary
}

/** Reads a transcript to its end. */
export async function readAll(path: string, options?: ReadOptions): Promise<Read> {
  const transcript = readTranscript(path, options)
  const items: TranscriptItem[] = []
  for await (const batch of transcript) items.push(...batch)
  const events = items.map(({ event: { at, ...event } }) => event as AgentEvent)
  return { items, events, summary: transcript.summary }
}

/** Reads a transcript that is made for one test. */
export const readText = (content: string | Uint8Array, options?: ReadOptions, name = 'it.jsonl') =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return readAll(path, options)
  })

/** Gives a test a folder of its own, and takes it away. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-transcripts-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const lines = (...records: unknown[]) =>
  records
    .map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`)
    .join('')

/** Events in a line each, to be compared at a glance. */
export const told = (events: readonly AgentEvent[]): string[] =>
  events.map((event) => {
    const agent = event.agent === undefined ? '' : `${event.agent}: `
    switch (event.type) {
      case 'prompt':
      case 'text':
      case 'reasoning':
        return `${agent}${event.type} ${event.text ?? ''}`.trim()
      case 'tool-call':
        return `${agent}call ${event.id ?? ''} ${event.name} ${JSON.stringify(event.args)}`
      case 'tool-result':
        return `${agent}result ${event.id ?? event.name} ${event.isError ? 'failed ' : ''}${JSON.stringify(event.output)}`
      case 'usage':
        return `${agent}usage ${event.inputTokens} ${event.cachedTokens ?? 0} ${event.outputTokens}`
      default:
        return `${agent}${event.type}`
    }
  })
