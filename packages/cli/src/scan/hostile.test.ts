import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { claudeLines, toLines } from '../../test/transcripts.js'
import { FORMATS } from './to-format.js'

// the title of the window, a colour, the same colour in one character, and a turn of the direction
const EVIL = '\x1b]0;owned\x07\x1b[31m\x9b31m\u202e'
const COMMANDS = /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/u

/** A folder with a session that has commands for terminals wherever a transcript has a text, and an empty one. */
function hostileFolder(): string {
  const cwd = emptyFolder()
  const text = toLines(claudeLines(12))
    .replaceAll('"Read"', JSON.stringify(`Read${EVIL}`))
    .replaceAll('/home/ada/app', `=cmd()${JSON.stringify(EVIL).slice(1, -1)}`)
    .replaceAll('claude-sonnet-4-5', `claude-sonnet-4-5${JSON.stringify(EVIL).slice(1, -1)}`)
    .replaceAll('const a = 1', `const a = 1${JSON.stringify(EVIL).slice(1, -1)}`)
  writeFileSync(join(cwd, `stuck\x1b[31m.jsonl`), text)
  writeFileSync(join(cwd, `empty\x1b[31m.jsonl`), '')
  return cwd
}

describe('a transcript with commands for the terminal', () => {
  it.each(FORMATS)('reaches it harmless as %s', async (format) => {
    const { code, stdout, stderr } = await unloop(['scan', '.', '--format', format], {
      cwd: hostileFolder(),
    })
    expect(code).toBe(1)
    expect(stdout).toContain('repeated-call')
    if (format !== 'html') expect(stdout).not.toMatch(COMMANDS)
    expect(stderr).toContain('is empty')
    expect(stderr).not.toMatch(COMMANDS)
  })

  it('does so with colours too', async () => {
    const env = { FORCE_COLOR: '1' }
    const { stdout } = await unloop(['scan', '.'], { cwd: hostileFolder(), env })
    expect(stdout).toContain('\x1b[')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(stdout.replace(/\x1b\[\d+m/g, '')).not.toMatch(COMMANDS)
    expect(stdout).not.toContain('\x1b[31m')
  })
})

describe('a transcript with commands for a CI runner', () => {
  // the formats whose lines are made of texts; the others escape line breaks, or are commands themselves
  it.each(['pretty', 'csv', 'junit'])('reaches its log harmless as %s', async (format) => {
    const cwd = emptyFolder()
    const evil = '\n::add-mask::x ##[error]y'
    const text = toLines(claudeLines(12))
      .replaceAll('"Read"', JSON.stringify(`::error::${evil}`))
      .replaceAll('/home/ada/app', `/home/ada/::error::${JSON.stringify(evil).slice(1, -1)}`)
    writeFileSync(join(cwd, 'stuck\n::error::z.jsonl'), text)
    writeFileSync(join(cwd, 'empty\n::error::z.jsonl'), '')
    const { stdout, stderr } = await unloop(['scan', '.', '--format', format], { cwd })
    expect(stdout).toContain('repeated-call')
    expect(stderr).toContain('is empty')
    // a runner obeys a line that begins with the one, and the other wherever it is
    expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*::|##\[/m)
  })
})
