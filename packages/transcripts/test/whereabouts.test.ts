import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGuard } from 'unloop'
import { describe, expect, it } from 'vitest'
import { createWhereabouts, readTranscript } from '../src/index.js'
import { fixture, inFolder, lines, readAll } from './read.js'

describe('whereabouts', () => {
  it('lead from a finding to the lines it is about', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'loop.jsonl')
      const round = [
        { type: 'tool-call', name: 'read', args: { path: 'a.ts' } },
        { type: 'tool-result', output: 'the same' },
      ]
      writeFileSync(
        path,
        lines({ unloop: 1 }, { type: 'prompt' }, ...round, ...round, ...round, ...round),
      )
      const guard = createGuard()
      const whereabouts = createWhereabouts()
      const found: unknown[] = []
      let count = 0
      for await (const items of readTranscript(path)) {
        for (const item of items) {
          whereabouts.add(item)
          const finding = guard.observe(item.event)
          if (!finding) continue
          found.push([whereabouts.of(finding.firstEvent)?.line, item.line])
          count ||= finding.count
        }
      }
      // two lines a round
      expect(found[0]).toEqual([3, 1 + 2 * count])
    }))

  it('forget what was long ago', async () => {
    const { items } = await readAll(fixture('claude-code.jsonl'))
    const whereabouts = createWhereabouts(10)
    for (const item of items) whereabouts.add(item)
    const last = items.length - 1
    expect(whereabouts.of(last)).toMatchObject({ line: items.at(-1)?.line })
    expect(whereabouts.of(last - 9)).toBeDefined()
    expect(whereabouts.of(last - 10)).toBeUndefined()
    expect(whereabouts.of(last + 1)).toBeUndefined()
    expect(() => createWhereabouts(0)).toThrow('got 0')
  })
})
