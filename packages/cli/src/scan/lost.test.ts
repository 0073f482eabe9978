import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { toLines, writeRun } from '../../test/transcripts.js'

/** What `unloop scan` reports of a file. */
async function scan(cwd: string) {
  const { stdout, stderr } = await unloop(['scan', cwd, '--format', 'json'], { cwd })
  const { runs, files } = JSON.parse(stdout)
  return { run: runs[0], file: files[0], stderr }
}

/** An edit so often, each accepted. */
const edits = (args?: object): AgentEvent[] =>
  Array.from({ length: 30 }, (_, n): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'tool-call', id: `${n}`, name: 'edit', ...(args && { args }) },
    { type: 'tool-result', id: `${n}`, output: 'The file has been updated.' },
  ]).flat()

describe('calls whose arguments were not recorded', () => {
  it('are never the same call', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [{ type: 'prompt', text: 'Rename it.' }, ...edits()])
    expect((await scan(cwd)).run).toMatchObject({ loops: [] })
  })

  it('are the same if there were none', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [{ type: 'prompt', text: 'Rename it.' }, ...edits({})])
    expect((await scan(cwd)).run.loops).toHaveLength(1)
  })

  it('are not the same as searches of Codex whose query is missing', async () => {
    const cwd = emptyFolder()
    const item = (payload: object) => ({ timestamp: '', type: 'response_item', payload })
    const search = item({ type: 'web_search_call', status: 'completed' })
    const said = [
      'The manual mentions a flag for retries.',
      'A blog post explains how the queue drains.',
      'Nobody has reported this crash upstream.',
      'Version 4 renamed the option, says its changelog.',
      'An answer suggests to pin the compiler.',
      'The license permits what we intend.',
      'Benchmarks favor the second library.',
      'So the migration takes two steps.',
    ]
    const lines = said.flatMap((content) => [
      search,
      item({ type: 'message', role: 'assistant', content }),
    ])
    writeFileSync(join(cwd, 'rollout-1.jsonl'), toLines(lines))
    expect((await scan(cwd)).run).toMatchObject({ loops: [] })
  })

  it('are other work after a loop', async () => {
    const cwd = emptyFolder()
    const other: AgentEvent[] = [
      { type: 'tool-call', id: 'x', name: 'edit' },
      { type: 'tool-result', id: 'x', output: 'Renamed a to b.' },
      { type: 'text', text: 'Done.' },
    ]
    writeRun(cwd, 'a.jsonl', [{ type: 'prompt', text: 'Rename it.' }, ...edits({}), ...other])
    expect((await scan(cwd)).run).toMatchObject({ ended: 'finished' })
  })
})

describe('results whose call is not in the file', () => {
  it('are bad, and the scan says so', async () => {
    const cwd = emptyFolder()
    const answers = edits({}).filter(({ type }) => type === 'tool-result')
    writeRun(cwd, 'a.jsonl', [{ type: 'prompt', text: 'Rename it.' }, ...answers])
    const { file, stderr } = await scan(cwd)
    expect(file).toMatchObject({
      bad: 30,
      badRecords: expect.arrayContaining([{ line: 2, reason: 'a result without its call' }]),
    })
    expect(stderr).toContain('a result without its call')
  })

  it('are not bad in a fork, whose history may stand elsewhere', async () => {
    const cwd = emptyFolder()
    const lines = [
      { type: 'session_meta', payload: { id: 's', forked_from_id: 'p' } },
      {
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: 'c', output: '' },
      },
    ]
    writeFileSync(join(cwd, 'rollout-1.jsonl'), toLines(lines))
    expect((await scan(cwd)).file).toMatchObject({ bad: 0, used: 1 })
  })
})
