import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { detectors } from '../src/detectors.js'
import type { AgentEvent } from '../src/event.js'
import type { Certainty } from '../src/finding.js'
import { createGuard } from '../src/guard.js'
import { presetDetectors } from '../src/presets/index.js'

const folder = new URL('../../../docs/detectors/', import.meta.url)

/** Detectors that never only advise. */
const CERTAIN = ['call-flood', 'chanting', 'identical-call', 'text-window']

/** The traces on the detectors' pages do what the page says, and its table has the detector's options and defaults. */
for (const file of readdirSync(folder)) {
  describe(file, () => {
    const page = readFileSync(new URL(file, folder), 'utf8')
    const detector = [...detectors, ...presetDetectors].find(({ name }) => `${name}.md` === file)
    const options = Object.entries(detector?.options ?? {})
    const traces = [...page.matchAll(/```jsonl (advises|trips|quiet)\n([\s\S]*?)```/g)].map(
      ([, kind = '', lines = '']) => ({ kind, lines }),
    )

    it('is the page of a detector and names its options', () => {
      expect(detector).toBeDefined()
      for (const [option] of options) expect(page).toContain(`\`${option}\``)
    })

    it('tells the defaults that the detector has', () => {
      const told = new Map(
        [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, value]),
      )
      for (const [option, value] of options) {
        if (typeof value === 'number')
          expect([option, told.get(option)]).toEqual([option, `${value}`])
      }
    })

    it('shows a trace of each level, and one that is left alone', () => {
      const name = file.replace('.md', '')
      const kinds = CERTAIN.includes(name) ? ['trips', 'quiet'] : ['advises', 'trips', 'quiet']
      expect(new Set(traces.map(({ kind }) => kind))).toEqual(new Set(kinds))
    })

    it.each(traces)('has a trace that $kind', ({ kind, lines }) => {
      const events = readEvents(lines)
      const guard = createGuard({ detectors: detector ? [detector] : [] })
      const found = events.flatMap((event) => guard.observe(event) ?? [])
      const first = (level: Certainty) =>
        found.find(({ certainty }) => certainty === level)?.lastEvent
      const last = events.length - 1
      if (kind === 'quiet') expect(found).toEqual([])
      if (kind === 'advises') expect([first('likely'), first('certain')]).toEqual([last, undefined])
      if (kind === 'trips') expect(first('certain')).toBe(last)
    })
  })
}

/**
 * The events of a trace: `x5 {…}` is five times the same event, `x5:` five times the indented lines below it. `{n}` is
 * the number of the lap, `{word}` a word that no other lap has.
 */
function readEvents(lines: string): AgentEvent[] {
  const groups: { count: number; json: string[] }[] = []
  for (const line of lines.trimEnd().split('\n')) {
    const [, times] = /^x(\d+):$/.exec(line) ?? []
    const [, count = '1', json = ''] = /^(?:x(\d+) )?\s*(.*)$/.exec(line) ?? []
    if (times !== undefined) groups.push({ count: Number(times), json: [] })
    else if (line.startsWith('  ')) groups.at(-1)?.json.push(json)
    else groups.push({ count: Number(count), json: [json] })
  }
  return groups.flatMap(({ count, json }) =>
    Array.from({ length: count }, (_, lap) => json.map((line) => toEvent(line, lap))).flat(),
  )
}

const toEvent = (json: string, lap: number): AgentEvent =>
  JSON.parse(json.replaceAll('{n}', `${lap + 1}`).replaceAll('{word}', wordOf(lap)))

const SYLLABLES = 'ka lo mi ne su ta ro vi'.split(' ')
const wordOf = (lap: number) => `${SYLLABLES[lap >> 3]}${SYLLABLES[lap & 7]}`
