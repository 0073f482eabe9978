import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { detectors } from '../src/detectors.js'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'

const folder = new URL('../../../docs/detectors/', import.meta.url)

/** The traces on the detectors' pages do what the page says: `x5` before a line means five of it. */
for (const file of readdirSync(folder)) {
  describe(file, () => {
    const page = readFileSync(new URL(file, folder), 'utf8')
    const detector = detectors.find(({ name }) => `${name}.md` === file)
    const traces = [...page.matchAll(/```jsonl (trips|quiet)\n([\s\S]*?)```/g)]

    it('is the page of a detector and names its options', () => {
      expect(detector).toBeDefined()
      for (const option of Object.keys(detector?.options ?? {}))
        expect(page).toContain(`\`${option}\``)
    })

    it('shows a trace that trips and one that does not', () => {
      expect(new Set(traces.map(([, kind]) => kind))).toEqual(new Set(['trips', 'quiet']))
    })

    it.each(traces.map(([, kind, lines]) => [kind, lines]))(
      'has a trace that %s',
      (kind, lines) => {
        const events = readEvents(lines as string)
        const guard = createGuard({ detectors: detector ? [detector] : [] })
        const found = events.flatMap((event, index) => (guard.observe(event) ? [index] : []))
        expect(found[0]).toBe(kind === 'trips' ? events.length - 1 : undefined)
      },
    )
  })
}

function readEvents(lines: string): AgentEvent[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, count = '1', json = ''] = /^(?:x(\d+) )?(.*)$/.exec(line) ?? []
      return Array.from({ length: Number(count) }, () => JSON.parse(json) as AgentEvent)
    })
}
