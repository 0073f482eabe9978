import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { bin, emptyHome, type Terminal } from './terminal.js'
import { READY, test } from './test.js'

/** A home with a cloned folder in it whose configuration is code that leaves a trace. */
function clone() {
  const home = emptyHome()
  const folder = join(home, 'cloned')
  mkdirSync(folder)
  const trace = join(home, 'ran')
  const path = join(folder, 'unloop.config.mjs')
  const write = (more = '') =>
    writeFileSync(
      path,
      `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(trace)}, 'ran')
export default { mode: 'observe' }
${more}`,
    )
  write()
  const command = (...args: string[]) =>
    `sh -c 'cd ${folder}; exec "${process.execPath}" "${bin}" ${args.join(' ')}'`
  return { home, path, command, write, hasRun: () => existsSync(trace) }
}

const QUESTION = /Do you trust the configuration above\?/

/** Answers the question once it takes answers. */
async function answer(terminal: Terminal, key: string) {
  await terminal.until('· y n, or arrows')
  await terminal.press(key)
}

describe.concurrent('a folder with a configuration that is code', () => {
  test('asks, and remembers a yes until the file changes', async ({ start }) => {
    const { home, path, command, write, hasRun } = clone()
    const first = await start({ home, command: command('chat') })
    const screen = await first.until(QUESTION)
    expect(screen).toContain(`${path} is not trusted. It would`)
    expect(screen).toContain('run code with your permissions')
    await answer(first, 'n')
    await first.until(`${path} is not used`)
    await first.until(READY)
    await first.send('/exit')
    await first.until('left with 0')
    expect(hasRun()).toBe(false)

    const second = await start({ home, command: command('chat') })
    await answer(second, 'y')
    await second.until(`trusted: ${path}`)
    await second.until(/guard observe/)
    expect(hasRun()).toBe(true)
    await second.send('/exit')
    await second.until('left with 0')

    const third = await start({ home, command: command('chat') })
    expect(await third.until(/guard observe/)).not.toMatch(QUESTION)
    await third.send('/exit')
    await third.until('left with 0')

    write('// changed')
    const fourth = await start({ home, command: command('chat') })
    await fourth.until(`${path} has changed since you trusted it`)
    await answer(fourth, 'Enter')
    await fourth.until(`${path} is not used`)
  })

  test('asks before a conversation goes on, which no other chat can open then', async ({
    start,
  }) => {
    const { home, command } = clone()
    const first = await start({ home, command: command('chat', '--no-trust') })
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/The library has no dependencies(.|\n)*\/help/)
    await first.send('/exit')
    await first.until('left with 0')
    const second = await start({ home, command: command('chat', '--resume') })
    expect(await second.until(QUESTION)).not.toContain('What is unloop?')
    await answer(second, 'y')
    await second.until(/> What is unloop\?(.|\n)*resumed/)
    const third = await start({ home, command: command('chat', '--resume') })
    await third.until('is open in another unloop chat')
  })

  test('is shown and asked about by unloop trust; Enter means no', async ({ start }) => {
    const { home, command, hasRun } = clone()
    const first = await start({ home, command: command('trust') })
    expect(await first.until('Type yes or no:')).toContain("| export default { mode: 'observe' }")
    await first.press('Enter')
    await first.until('Not trusted.')
    await first.until('left with 1')
    const second = await start({ home, command: command('trust') })
    await second.until('Type yes or no:')
    await second.type('yes')
    await second.press('Enter')
    await second.until('left with 0')
    expect(hasRun()).toBe(false)
    const third = await start({ home, command: command('chat', '-p', 'hello') })
    await third.until('left with 0')
    expect(hasRun()).toBe(true)
  })
})
