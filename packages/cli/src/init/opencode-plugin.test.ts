import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'

interface Output {
  output: string
}
type Hook = (input: object, output?: object) => Promise<void>

/** The plugin as `unloop init` writes it, loaded as opencode does. Without unloop it gets a command that fails. */
async function plugin(prepare: (file: string) => void = () => {}) {
  const home = emptyFolder()
  await unloop(['init', 'opencode', '--yes'], {
    cwd: home,
    env: { HOME: home, UNLOOP_HOME: join(home, 'state') },
  })
  const file = join(home, 'plugin.mjs')
  copyFileSync(join(home, '.config/opencode/plugin/unloop.js'), file)
  prepare(home)
  process.env.UNLOOP_HOME = join(home, 'state')
  const { Unloop } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  const told: unknown[] = []
  const client = {
    tui: {
      showToast: async ({ body }: { body: object }) => {
        told.push(body)
      },
    },
    session: {
      abort: async ({ path }: { path: object }) => {
        told.push(path)
      },
    },
  }
  const hooks: Record<string, Hook> = await Unloop({ client, directory: home })
  return { hooks, told }
}

const call = (id: string) => ({ tool: 'bash', sessionID: 'ses_1', callID: id })
const args = { command: 'cat nothing.txt' }

it('warns, refuses and stops a loop', async () => {
  const { hooks, told } = await plugin()
  await hooks['chat.message']?.(
    { sessionID: 'ses_1' },
    { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'Read it.' }] },
  )
  const outputs: string[] = []
  const refusals: string[] = []
  for (let step = 1; step <= 10 && told.length === 0; step++) {
    const refusal = await hooks['tool.execute.before']?.(call(`c${step}`), { args }).catch(
      (error: Error) => error.message,
    )
    if (refusal !== undefined) {
      refusals.push(String(refusal))
      continue
    }
    const result: Output = { output: 'cat: nothing.txt: No such file or directory' }
    await hooks['tool.execute.after']?.({ ...call(`c${step}`), args }, result)
    outputs.push(result.output)
  }
  expect(outputs.length).toBeLessThanOrEqual(6)
  expect(outputs.some((output) => output.includes('\n\n'))).toBe(true)
  expect(refusals.length).toBeGreaterThan(0)
  expect(told).toContainEqual({ id: 'ses_1' })
})

it('does nothing without unloop', async () => {
  const { hooks, told } = await plugin((home) => {
    const launcher = join(home, 'state/bin/unloop')
    mkdirSync(join(home, 'state/bin'), { recursive: true })
    writeFileSync(launcher, '#!/bin/sh\necho nonsense\nexit 1\n', { mode: 0o755 })
  })
  for (let step = 1; step <= 6; step++) {
    await hooks['tool.execute.before']?.(call(`c${step}`), { args })
    const result: Output = { output: 'no' }
    await hooks['tool.execute.after']?.({ ...call(`c${step}`), args }, result)
    expect(result.output).toBe('no')
  }
  await hooks.event?.({ event: { type: 'session.idle' } })
  await hooks.event?.({})
  expect(told).toEqual([])
})
