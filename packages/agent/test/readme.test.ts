import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const block = (language: string) =>
  readme.match(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``))?.[1] ?? ''

it('the example of the README prints what the README says', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', block('js')], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })
  expect(printed).toBe(block('text'))
})
