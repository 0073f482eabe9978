import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { failsOn, families, type Story } from '../../../testing/src/stories/index.js'
import { type Lab, openLab } from './lab.js'

/** Stories that a real shell tells as they are written, and the files it needs for that. */
const PLAYED: Record<string, (story: Story) => Record<string, string>> = {
  'reading settings with a timeout, by cat': ({ steps }) =>
    Object.fromEntries(
      steps.map((step) => [commandOf(step).slice('cat '.length), `${step.output}`]),
    ),
  'a log of requests, page by page, with sed': ({ steps }) => ({
    'app.log': steps.map(({ output }) => `${output}\n`).join(''),
  }),
  'as often as the person said: Run ./flaky.sh 20 times': () => ({
    'flaky.sh': '#!/bin/sh\necho ok, 14 passed\n',
  }),
  'cat, the same again and again, of an agent that was told to say when it is done': () => ({
    'src/discount.ts': 'export const discount = 0.2\n',
  }),
}

const commandOf = ({ args }: Story['steps'][number]): string =>
  (args as { command: string }).command

async function fill({ project }: Lab, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(project, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { mode: 0o755 })
  }
}

const stories = Object.values(families).flat()

describe.each(Object.entries(PLAYED))(
  'Claude Code with hooks of unloop init: %s',
  (name, files) => {
    const story = stories.find((one) => one.name === name)
    if (!story) throw new Error(`there is no story named ${name}`)
    const { steps, prompt = 'Go on.', expect: wanted } = story
    let stdout = ''
    let turns: string[] = []

    // not in the test: a lab that does not work is no story that fails as it is known to
    beforeAll(async () => {
      await using lab = await openLab('claude-code', (turn) => {
        const step = steps[turn]
        return step ? [commandOf(step)] : 'Ok.'
      })
      await fill(lab, files(story))
      expect(await lab.unloop('init', 'claude-code', '--yes')).toMatchObject({ code: 0 })
      stdout = (await lab.run(prompt)).stdout
      turns = lab.turns().map((body) => JSON.stringify(body))
      expect(turns.length).toBeGreaterThan(2)
    }, 300_000)

    const mayFail = failsOn(story, 'hook') ? test.fails : test
    mayFail('comes out as expected', () => {
      if (typeof wanted === 'object' && 'stoppedWithin' in wanted) {
        expect(turns.length).toBeLessThanOrEqual(wanted.stoppedWithin)
        expect(stdout).toContain('unloop stopped this run')
      } else {
        expect(turns).toHaveLength(steps.length + 1)
        expect(stdout).toContain('Ok.')
        expect(turns.at(-1)).not.toContain('PreToolUse:Bash hook error')
      }
    })
  },
)
