import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../../test/host.js'
import { madeUpReport } from '../../../test/made-up-report.js'
import { honestRun, stuckRun, writeRun } from '../../../test/transcripts.js'
import type { LoopReport, RunReport } from '../run-report.js'
import { toCard } from './card.js'

const { runs } = madeUpReport(412, 66)
const stuck = runs.filter(({ wasted }) => wasted.tokens > 0)

const wordsOf = (svg: string): string[] =>
  [new XMLParser().parse(svg).svg.text].flat().map((text) => String(text['#text'] ?? text))

describe('the card', () => {
  it('has the numbers of the worst loop, and its kind', () => {
    const words = wordsOf(toCard(runs) ?? '').join('\n')
    expect(words).toContain('$19.97')
    expect(words).toContain('71 times · 3 h 12 min · 10.5M tokens')
    expect(words).toContain('the same calls, lap after lap')
    expect(words).toContain('unloop scan')
  })

  it('is not made where nothing got stuck', () => {
    expect(toCard([])).toBeUndefined()
    expect(
      toCard(runs.filter(({ loops }) => loops.every(({ certainty }) => certainty === 'likely'))),
    ).toBeUndefined()
  })

  it('is about tokens, time or events where there is no price', () => {
    const wordsWith = (wasted: LoopReport['wasted']) =>
      wordsOf(toCard([withLoop({ wasted })]) ?? '')
    expect(wordsWith({ events: 9, tokens: 4_100_000 })).toContain('4.1M tokens')
    expect(wordsWith({ events: 9, tokens: 0, ms: 120_000 })).toContain('2 min')
    expect(wordsWith({ events: 9, tokens: 0 })).toContain('9 events')
    expect(wordsWith({ events: 9, tokens: 10, cost: 0.001 })).toContain('under $0.01')
  })

  it('has nothing of the transcript in it, and is XML, whatever that says', () => {
    const secret = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((text) => `hostile"<&>]]>${text}`)
    fc.assert(
      fc.property(secret, (text) => {
        const svg = toCard([hostile(text)]) ?? ''
        expect(XMLValidator.validate(svg)).toBe(true)
        expect(svg).not.toContain('hostile')
        expect(svg).toBe(toCard([hostile('another')]))
      }),
    )
  })
})

describe('unloop scan --card', () => {
  it('writes the card', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', stuckRun())
    const { code, stderr } = await unloop(['scan', 'a.jsonl', '--card', 'card.svg'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain(`Written to ${join(cwd, 'card.svg')}`)
    const svg = readFileSync(join(cwd, 'card.svg'), 'utf8')
    expect(wordsOf(svg).join('\n')).toContain('12 times')
    expect(svg).not.toMatch(/login|ada|read|sonnet/)
  })

  it('writes nothing if no run was stuck, and says so', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', honestRun())
    const { code, stderr } = await unloop(['scan', 'a.jsonl', '--card', 'card.svg'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain(
      'No run was stuck, so there is no loop for a card; card.svg was not written.',
    )
    expect(existsSync(join(cwd, 'card.svg'))).toBe(false)
  })
})

const withLoop = (changed: Partial<LoopReport>): RunReport => {
  const [run] = stuck
  const [loop] = run?.loops ?? []
  if (!run || !loop) throw new Error('no stuck run')
  return { ...run, loops: [{ ...loop, ...changed }] }
}

function hostile(text: string): RunReport {
  const run = withLoop({
    identity: text,
    detector: text,
    kind: text,
    detail: text,
    sample: text,
    tool: text,
    agent: text,
    advice: text,
    steps: [{ kind: 'hook', text, command: text }],
    evidence: [{ line: 1, kind: 'call', tool: text, text }],
  })
  return { ...run, path: text, program: text, project: text, session: text, model: text, parts: [] }
}
