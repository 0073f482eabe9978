import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import type { ScanReport } from './run-report.js'

const FIXTURES = fileURLToPath(
  new URL('../../../transcripts/test/fixtures/sessions', import.meta.url),
)
// an archive of recordings that are not ours to publish
const { UNLOOP_SESSIONS } = process.env
const recorded = emptyFolder()
if (UNLOOP_SESSIONS) execFileSync('tar', ['-xzf', UNLOOP_SESSIONS, '-C', recorded])

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))

// dollars for a million tokens: input, cache read, cache write, for an hour, output
const PRICES: Record<string, [number, number, number, number, number]> = {
  'claude-opus-4-5-20251101': [5, 0.5, 6.25, 10, 25],
  'claude-opus-4-6': [5, 0.5, 6.25, 10, 25],
  'claude-sonnet-4-5-20250929': [3, 0.3, 3.75, 6, 15],
  'gpt-5.4': [2.5, 0.25, 0, 0, 15],
  'gpt-5.4-mini': [0.75, 0.075, 0, 0, 4.5],
  'gpt-5.5': [5, 0.5, 0, 0, 30],
}

// biome-ignore lint/suspicious/noExplicitAny: a count asks for what it knows to be there
type Any = any

/** What a session cost, record by record, without anything of the scan. */
function dollarsOf(path: string): number | undefined {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const records: Any[] = lines.map((line) => JSON.parse(line))
  return records.some(({ payload }) => payload) ? codexDollars(records) : claudeDollars(records)
}

function claudeDollars(records: Any[]): number | undefined {
  const answers = new Map<string, Any>()
  const seen = new Set<string>()
  for (const { uuid, type, message, isApiErrorMessage } of records) {
    if (seen.has(uuid)) continue
    if (uuid) seen.add(uuid)
    if (type !== 'assistant' || isApiErrorMessage || message.model === '<synthetic>') continue
    answers.set(message.id, message)
  }
  if (answers.size === 0) return
  let sum = 0
  for (const { model, usage } of answers.values()) {
    const price = PRICES[model]
    if (!price) return
    const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
    const written = (usage.cache_creation_input_tokens ?? 0) - hour
    sum += usage.input_tokens * price[0] + (usage.cache_read_input_tokens ?? 0) * price[1]
    sum += written * price[2] + hour * price[3] + usage.output_tokens * price[4]
  }
  return sum / 1e6
}

/** `known` are the answers of other sessions, which a fork copies. */
function codexDollars(records: Any[], known = new Set<string>()): number | undefined {
  let model = ''
  let last = ''
  let sum = 0
  for (const { type, payload } of records) {
    if (type === 'turn_context' && payload.model) model = payload.model
    if (payload?.type !== 'token_count' || !payload.info) continue
    const total = JSON.stringify(payload.info.total_token_usage)
    const usage = payload.info.last_token_usage
    const price = PRICES[model]
    if (total === last) continue
    last = total
    if (known.has(`${total} ${JSON.stringify(usage)}`)) continue
    known.add(`${total} ${JSON.stringify(usage)}`)
    if (!price) return
    const cached = usage.cached_input_tokens ?? 0
    sum += (usage.input_tokens - cached) * price[0] + cached * price[1]
    sum += usage.output_tokens * price[4]
  }
  return sum / 1e6
}

const scan = async (path: string): Promise<ScanReport> =>
  JSON.parse((await unloop(['scan', path, '--format', 'json'])).stdout)

describe('recorded sessions', () => {
  it('cost what an independent count says, to the last digit', async () => {
    const wrong: string[] = []
    let count = 0
    for (const path of [...filesIn(FIXTURES), ...filesIn(recorded)]) {
      const dollars = dollarsOf(path)
      if (dollars === undefined) continue
      count++
      const { cost = 0 } = (await scan(path)).totals.spent
      if (Math.abs(cost - dollars) > 1e-9) wrong.push(`${path}: ${cost} instead of ${dollars}`)
    }
    expect(count).toBeGreaterThan(1)
    expect(wrong).toEqual([])
  })

  it.each([FIXTURES, recorded])('of Codex cost once what forks copy: %s', async (folder) => {
    const known = new Set<string>()
    let dollars = 0
    const codex = filesIn(folder)
      .map((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean))
      .map((lines): Any[] => lines.map((line) => JSON.parse(line)))
      .filter(([first]) => first.type === 'session_meta')
      .sort(([a], [b]) => (a.timestamp < b.timestamp ? -1 : 1))
    for (const records of codex) dollars += codexDollars(records, known) ?? Number.NaN
    const { by } = codex.length === 0 ? { by: undefined } : await scan(folder)
    const told = by?.agent.find(({ name }) => name === 'codex')?.cost ?? 0
    expect(told).toBeCloseTo(dollars, 9)
  })

  it('are not stuck', async () => {
    for (const folder of [FIXTURES, recorded]) {
      if (filesIn(folder).length === 0) continue
      const { totals, runs } = await scan(folder)
      expect(totals).toMatchObject({ stuck: 0, loops: 0 })
      expect(runs.length).toBeGreaterThan(0)
    }
  })
})
