import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { unloop } from '../../test/host.js'

let script = ''
beforeAll(async () => {
  script = (await unloop(['completion', 'bash'])).stdout
})

/** What bash offers after these words; the last one is being written. */
function complete(...words: string[]): string[] {
  const run = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _unloop; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '-c', run, 'bash', 'unloop', ...words]
  return execFileSync('bash', args, { encoding: 'utf8', cwd: import.meta.dirname })
    .split('\n')
    .filter((word) => word !== '')
}

describe('unloop completion bash', () => {
  it('offers subcommands', () => {
    expect(complete('')).toEqual(
      expect.arrayContaining(['chat', 'check', 'completion', '--version']),
    )
    expect(complete('ch')).toEqual(['chat', 'check'])
    expect(complete('help', 'com')).toEqual(['completion'])
  })

  it('offers the options of a subcommand', () => {
    expect(complete('check', '--')).toEqual([
      '--json',
      '--preset',
      '--explain',
      '--config',
      '--trust',
      '--no-trust',
      '--help',
    ])
    expect(complete('chat', '--no')).toEqual(['--no-save', '--no-trust'])
  })

  it('offers what an option takes', () => {
    expect(complete('chat', '--preset', '')).toEqual(['gemini-cli', 'qwen-code', 'deepv'])
    expect(complete('chat', '--guard', '')).toEqual(['enforce', 'observe', 'off'])
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })

  it('offers the kinds of /stuck as a prompt', () => {
    expect(complete('chat', '-p', '"/stuck ping')).toEqual(['/stuck ping-pong'])
    expect(complete('chat', '--prompt', '')).toContain('/stuck repeated-call')
  })

  it('offers files and folders where an option takes one', () => {
    expect(complete('scan', '--baseline', 'completion.t')).toEqual(['completion.test.ts'])
    expect(complete('scan', '--parquet', 'completion.t')).toEqual(['completion.test.ts'])
    expect(complete('scan', '--format', 'gi')).toEqual(['github'])
  })

  it('offers files to check', () => {
    expect(complete('check', 'completion.t')).toEqual(['completion.test.ts'])
  })
})

describe('the other shells', () => {
  it.each(['zsh', 'fish'])('%s gets a script with every subcommand and option', async (shell) => {
    const { code, stdout } = await unloop(['completion', shell])
    expect(code).toBe(0)
    for (const word of ['chat', 'check', 'preset', 'gemini-cli', 'stuck', 'repeated-call']) {
      expect(stdout).toContain(word)
    }
  })
})
