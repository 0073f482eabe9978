// Writes the fixtures that real agents make; `node scripts/record-agents.mjs` runs it.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { agentNames } from './agents.js'
import { openLab } from './lab.js'
import type { Wish } from './model.js'
import { createNormaliser } from './normalise.js'
import { installRecorder } from './recorder.js'

const root = new URL('../../../../', import.meta.url)

const STEPS: Wish[] = [
  { says: 'I will look at the files.', runs: ['echo hello > a.txt', 'cat nothing.txt'] },
  ['cat a.txt'],
  ['cat nothing.txt'],
  'The file a.txt says hello. There is no nothing.txt.',
]

describe('records', () => {
  test.each(agentNames)('what %s prints', async (name) => {
    await using lab = await openLab(name, (turn) => STEPS[turn] ?? 'Done.')
    const { code, stdout } = await lab.run('Read the files')
    expect(code).toBe(0)
    const normalise = createNormaliser(dirname(lab.home))
    await write(`packages/transcripts/test/fixtures/streams/${name}.jsonl`, normalise(stdout))
  })

  test.each(agentNames)('what %s tells its hooks', async (name) => {
    await using lab = await openLab(name, (turn) => STEPS[turn] ?? 'Done.')
    const payloads = await installRecorder(name, lab)
    expect((await lab.run('Read the files')).code).toBe(0)
    const lines = (await payloads()).filter(matters).map((payload) => JSON.stringify(payload))
    expect(lines.length).toBeGreaterThan(8)
    const normalise = createNormaliser(dirname(lab.home))
    await write(
      `packages/cli/test/fixtures/hooks/${name}.jsonl`,
      normalise(`${lines.join('\n')}\n`),
    )
  })
})

/** Of the many events of opencode, those that a guard could use. */
const matters = (payload: object): boolean => {
  const { input } = payload as { input?: { event?: { type: string } } }
  const type = input?.event?.type
  return (
    type === undefined || /^message\.part\.updated$|^session\.(?:created|idle|error)$/.test(type)
  )
}

async function write(path: string, text: string): Promise<void> {
  const file = fileURLToPath(new URL(path, root))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
