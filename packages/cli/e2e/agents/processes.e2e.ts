// How many processes of ours an agent starts: nearly all of what a hook costs is the start of Node.js.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from './lab.js'
import { differentSteps, fillProject } from './scenarios.js'

const CALLS = 20

test('Claude Code starts one process per call of honest work', async () => {
  await using lab = await openLab('claude-code', differentSteps(CALLS))
  await fillProject(lab)
  const [bin = ''] = (lab.env.PATH ?? '').split(delimiter)
  const counted = join(lab.home, 'counted')
  expect(await lab.unloop('init', 'claude-code', '--yes')).toMatchObject({ code: 0 })
  await rename(join(bin, 'unloop'), join(bin, 'unloop-itself'))
  const script = `#!/bin/sh\necho x >>'${counted}'\nexec '${join(bin, 'unloop-itself')}' "$@"\n`
  await writeFile(join(bin, 'unloop'), script, { mode: 0o755 })
  await lab.run('Do all parts')
  expect(lab.turns()).toHaveLength(CALLS + 1)
  const count = (await readFile(counted, 'utf8')).split('\n').filter(Boolean).length
  // the end of each round, and besides: the prompt, the first call, the last message, and calls that are always told
  expect(count).toBeLessThanOrEqual(CALLS + 5)
})
