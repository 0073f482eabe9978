import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_EXAMPLES, type SecretExample } from '@unloop/testing/secrets'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, unloop } from '../../test/host.js'
import { claudeLines, toLines } from '../../test/transcripts.js'
import { toGithubSummary } from './formats/github.js'
import { makeReport } from './make-report.js'
import { FORMATS, toFormat } from './to-format.js'

/** A session of Claude Code that is stuck, with a text wherever the session says or names something. */
function stuckWith(text: string): string {
  const inJson = (word: string) => JSON.stringify(word).slice(1, -1)
  return toLines(claudeLines(12))
    .replaceAll('"a.ts"', `"${inJson(`saw ${text} there`)}"`)
    .replaceAll('const a = 1', inJson(`saw ${text} there`))
    .replaceAll('Why?', inJson(`saw ${text} there`))
    .replaceAll('"Read"', `"${inJson(`Read ${text}`)}"`)
    .replaceAll('"s1"', `"${inJson(`s1 ${text}`)}"`)
    .replaceAll('claude-sonnet-4-5', inJson(`model ${text}`))
    .replaceAll('/home/ada/app', inJson(`/srv/shop ${text}`))
}

/** No part of the secret that would be of use, however a format writes it. */
function expectNone(output: string, { secret }: SecretExample) {
  const starts = Array.from({ length: Math.max(1, secret.length - 9) }, (_, at) => at)
  const at = starts.map((start) => output.indexOf(secret.slice(start, start + 10)))
  const first = at.find((place) => place >= 0)
  expect(first === undefined || output.slice(first - 100, first + 40)).toBe(true)
}

/** Words before a secret, so that samples and quotes are cut before it, in it and behind it. */
const CUTS =
  process.env.UNLOOP_SOAK === '1'
    ? [1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 195]
    : [1, 12, 24, 36, 195]

const columns = { isColoured: false, columns: 4000, home: '/nowhere', showRaw: false }

describe.each(SECRET_EXAMPLES)('$name', (example) => {
  it(`is in no report: ${FORMATS.join(', ')}`, async () => {
    const cwd = emptyFolder()
    // a name of a file has no slash in it
    const name = `shop ${example.text.includes('/') ? '' : example.text}.jsonl`
    writeFileSync(join(cwd, name), stuckWith(example.text))
    appendFileSync(join(cwd, name), `} ${example.text}\n`)
    writeFileSync(join(cwd, `empty ${name}`), '')
    const { host, stderr } = createHost(['scan'], { cwd, isTerminal: true })
    const report = await makeReport(host, ['.'], {})
    expect(report.runs).toHaveLength(1)
    expectNone(stderr(), example)
    expect(stderr()).toContain('could not be understood')
    const summary = toGithubSummary(report)
    expectNone(
      summary.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
      example,
    )
    expect(summary).toContain('shop')
    for (const format of FORMATS) {
      const output = toFormat(format, report, columns)
      expectNone(output, example)
      expectNone(decodeURIComponent(output.replaceAll(/%(?![0-9A-F]{2})/g, '')), example)
      expect(output).toContain('repeated-call')
      expect(output).toMatch(/shop/)
      if (!['csv', 'junit', 'github'].includes(format)) expect(output).toContain('saw ')
    }
  })

  it('is told by neither half where it is cut in two', async () => {
    const cwd = emptyFolder()
    for (const before of CUTS) {
      const text = `${'word '.repeat(before)}${example.text} ${'more '.repeat(before % 7)}`
      const lines = stuckWith(text)
        .replaceAll('"s1 ', `"s${before} `)
        .replace(/"t(\d+)"/g, `"t${before}-$1"`)
      writeFileSync(join(cwd, `${before}.jsonl`), lines)
    }
    const { host } = createHost(['scan'], { cwd })
    const report = await makeReport(host, ['.'], {})
    expect(report.runs.filter(({ loops }) => loops.length > 0)).toHaveLength(CUTS.length)
    expectNone(toFormat('json', report, columns), example)
  })
})

it('a raw report has it', async () => {
  const [example] = SECRET_EXAMPLES as [SecretExample]
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'a.jsonl'), stuckWith(example.text))
  const args = ['scan', '.', '--format', 'json']
  expect((await unloop([...args, '--show-raw'], { cwd })).stdout).toContain(example.secret)
  expect((await unloop(args, { cwd })).stdout).not.toContain(example.secret)
})
