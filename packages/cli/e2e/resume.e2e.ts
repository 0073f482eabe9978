import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ASKED, READY, test } from './test.js'

describe.concurrent('after kill -9', () => {
  test('a conversation goes on with its history, its usage and its pending question', async ({
    start,
  }) => {
    const first = await start()
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/The library has no dependencies(.|\n)*\/help/)
    await first.send('/stuck repeated-call')
    const before = await first.until(ASKED)
    first.kill()
    await first.until('left with 137')

    const second = await start({ home: first.home, args: ['--resume'] })
    const screen = await second.until(ASKED)
    expect(screen).toContain('> What is unloop?')
    expect(screen).toContain('> /stuck repeated-call')
    expect(tokens(screen)).toBe(tokens(before))
    await second.press('2')
    await second.until('→ continued once')
    await second.until(ASKED)
    await second.press('Escape')
    await second.until('→ stopped')
    await second.press('Up', 'Up')
    await second.until(/> What is unloop\?\s*\n.*tokens/)
  })

  test('one that was killed in the middle of an answer is offered by /resume', async ({
    start,
  }) => {
    const first = await start({ env: { UNLOOP_PACE_MS: '60' } })
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until('This is what')
    first.kill()
    await first.until('left with 137')
    expect(readdirSync(join(first.home, 'unloop/sessions'))).toHaveLength(1)

    const second = await start({ home: first.home })
    await second.until(READY)
    await second.send('/resume')
    await second.until(/❯ 1 What is unloop\? {2}\d+ messages, .* ago/)
    await second.press('1')
    await second.until(/resumed \w+ of/)
    await second.send('What is a guard?')
    await second.until(/tokens · guard on · \/help/)
    expect(readdirSync(join(first.home, 'unloop/sessions'))).toHaveLength(1)
  })
})

const tokens = (screen: string) => /([\d,]+) tokens · guard/.exec(screen)?.[1]
