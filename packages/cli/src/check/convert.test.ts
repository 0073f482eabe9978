import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/transcripts/events.md', import.meta.url)),
  'utf8',
)
const block = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

it('converts the log of an unknown program as its page says', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'convert.mjs'), block('js'))
  writeFileSync(join(cwd, 'my-log.json'), block('json'))
  const convert = (log: string) => execFileSync('node', ['convert.mjs', log], { cwd }).toString()

  const honest = await unloop(['check', '-'], { cwd, stdin: convert('my-log.json') })
  expect(honest).toMatchObject({ code: 0, stderr: 'stdin: no loop in 5 events\n' })

  const { run, steps } = JSON.parse(block('json'))
  const [asked, ...round] = steps
  const stuck = { run, steps: [asked, ...Array.from({ length: 12 }, () => round).flat()] }
  writeFileSync(join(cwd, 'stuck.json'), JSON.stringify(stuck))
  writeFileSync(join(cwd, 'stuck.jsonl'), convert('stuck.json'))
  const found = await unloop(['scan', 'stuck.jsonl', '--format', 'json'], { cwd })
  expect(found.code).toBe(1)
  const [report] = JSON.parse(found.stdout).runs
  expect(report).toMatchObject({ program: 'my-agent', session: '7', model: 'my-model' })

  const unknown = await unloop(['scan', 'stuck.json'], { cwd })
  expect(unknown.stderr).toContain('docs/transcripts/events.md')
  expect(unknown.stderr).toContain('tool-call with id, name and args')
})
