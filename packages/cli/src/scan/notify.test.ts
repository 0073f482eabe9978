import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../test/host.js'
import { notify } from './notify.js'

/** Words that a shell, a script or a program that reads options would take for something else. */
const hostile = [
  '$(touch TRACE)',
  '`touch TRACE`',
  '; touch TRACE;',
  '& touch TRACE &',
  '| touch TRACE',
  '"; touch TRACE; "',
  "'; touch TRACE; '",
  '" & (do shell script "touch TRACE") & "',
  "'); Start-Process touch TRACE #",
  '$env:PATH $(New-Item TRACE)',
  '%PATH% ^& touch TRACE',
  '--icon=TRACE',
  '-e',
  '-edo shell script "touch TRACE"',
  '-',
  '--',
  '<a href="file:///TRACE">look</a> &amp; <img src="TRACE"/>',
  '\\n\\0 \\',
  'TRACE > TRACE < TRACE',
  '-Command New-Item TRACE',
]

/** Where the program of each platform is looked for. */
const programs = {
  linux: 'notify-send',
  darwin: 'osascript',
  win32: 'windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
} as const

type Platform = keyof typeof programs

/** Notifies with a stand-in for the program; gives what that was started with. */
async function record(platform: Platform, title: string, text: string) {
  const folder = emptyFolder()
  const out = join(emptyFolder(), 'out')
  const trace = join(folder, 'trace')
  const path = join(folder, programs[platform])
  writeFileSync(
    path,
    `#!/bin/sh
{ printf '%s\\0' "$@"; } >${out}.argv
printf '%s\\0%s' "$UNLOOP_TITLE" "$UNLOOP_TEXT" >${out}.env
cat >${out}.stdin
`,
    { mode: 0o755 },
  )
  const env = { PATH: `${folder}:${process.env.PATH}`, SystemRoot: join(folder, 'windows') }
  const spell = (words: string) => words.replaceAll('TRACE', trace)
  await notify({ platform, env }, spell(title), spell(text))
  const read = (end: string) => readFileSync(`${out}.${end}`, 'utf8')
  expect(existsSync(trace)).toBe(false)
  return {
    argv: read('argv').split('\0').slice(0, -1),
    env: read('env').split('\0'),
    stdin: read('stdin'),
    words: [spell(title), spell(text)] as [string, string],
  }
}

describe.each(hostile)('a notification that says %j', (words) => {
  it('is data on Linux, after the end of all options and without marks', async () => {
    const { argv, stdin, words: said } = await record('linux', words, words)
    expect(argv.slice(0, 3)).toEqual(['--app-name=unloop', '--', said[0]])
    expect(argv).toHaveLength(4)
    expect(argv[3]).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    expect(stdin).toBe('')
  })

  it('is data on macOS, after a script that is always the same', async () => {
    const { argv, stdin, words: said } = await record('darwin', words, words)
    expect(argv).toEqual(['-', ...said])
    expect(stdin).toBe((await record('darwin', 'title', 'text')).stdin)
  })

  it('is in the environment on Windows, and the arguments are always the same', async () => {
    const { argv, env, words: said } = await record('win32', words, words)
    expect(env).toEqual(said)
    expect(argv).toEqual((await record('win32', 'title', 'text')).argv)
    const script = Buffer.from(argv.at(-1) ?? '', 'base64').toString('utf16le')
    expect(script).toContain('CreateTextNode($env:UNLOOP_TEXT)')
  })
})

describe('a notification', () => {
  it.each(Object.keys(programs) as Platform[])(
    'is one line of a bounded length, without control characters, on %s',
    async (platform) => {
      const words = `a\0b\x1b[2J\nc\r\n${'x'.repeat(2e6)}`
      const { argv, env } = await record(platform, words, words)
      const [title = '', text = ''] = platform === 'win32' ? env : argv.slice(-2)
      for (const said of [title, text]) {
        expect(said).toMatch(/^ab\[2J c x+…$/)
        expect(said.length).toBeLessThan(300)
      }
    },
  )

  it('does not matter where there is no way, or no program', async () => {
    const env = { PATH: emptyFolder(), SystemRoot: emptyFolder() }
    for (const platform of ['linux', 'darwin', 'win32', 'aix'] as const) {
      await notify({ platform, env }, 'title', 'text')
    }
  })
})
