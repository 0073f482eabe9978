import { defaultDetectors } from 'unloop'
import { describe, expect } from 'vitest'
import { ASKED, READY, test } from './test.js'

const kinds = defaultDetectors().map(({ name }) => name)

describe.concurrent('/stuck', () => {
  for (const kind of kinds) {
    test(`${kind} ends in the dialog, which says what, how often, since when and at what cost`, async ({
      start,
    }) => {
      const terminal = await start()
      await terminal.until(READY)
      await terminal.send(`/stuck ${kind}`)
      const screen = await terminal.until(ASKED)
      expect(screen).toMatch(/│ What {4}\S+/)
      expect(screen).toMatch(/│ Times {3}[\d,]+, since turn \d+, (.* ago|just now)/)
      expect(screen).toMatch(/│ Cost {4}[\d,]+ events?/)
      expect(screen).toMatch(/│ Rule {4}[a-z-]+/)
      await terminal.press('Escape')
      await terminal.until('→ Stopped: the agent waits')
      await terminal.send('/loops')
      await terminal.until(new RegExp(`\\d+\\. stuck: ${kind}`))
    })
  }

  test('with heed ends by itself after the warning', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('/stuck repeated-call heed')
    const screen = await terminal.until(/I was going in circles(.|\n)*\/help/)
    expect(screen).toMatch(/! stuck: list_topics|· struggling, the model was told: list_topics/)
    expect(screen).toContain('the model was told:')
    expect(screen).not.toContain(ASKED)
  })
})

describe.concurrent('the preset deepv', () => {
  test('stops a preview model at its fourth read_file', async ({ start }) => {
    const args = ['--preset', 'deepv', '--model', 'embedded/gemini-3-pro-preview']
    const terminal = await start({ args })
    await terminal.until(READY)
    await terminal.send('/stuck call-flood')
    const screen = await terminal.until(ASKED)
    expect(screen.match(/^› read_file/gm)).toHaveLength(4)
    expect(screen).toMatch(/› read_file[^›]*it did not run\n■/)
    expect(screen).toContain('read_file was called 4 times in this request')
  })

  test('stops a standard model at the tenth identical call', async ({ start }) => {
    const terminal = await start({
      args: ['--preset', 'deepv', '--model', 'embedded/gemini-2.0-flash'],
      rows: 60,
    })
    await terminal.until(READY)
    await terminal.send('/stuck identical-call')
    const screen = await terminal.until(ASKED)
    expect(screen).toMatch(/│ Times {3}10,/)
    expect(screen).toContain('identical-call')
  })
})
