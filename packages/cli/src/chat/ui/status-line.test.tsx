import { PassThrough } from 'node:stream'
import { render } from 'ink'
import { describe, expect, it } from 'vitest'
import { reduce } from '../reduce.js'
import { type ChatState, startState } from '../state.js'
import { StatusLine } from './status-line.js'

/** What is drawn of a state, in so many columns. */
async function draw(state: ChatState, columns: number): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { columns })
  const { unmount } = render(<StatusLine state={state} columns={columns} />, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    patchConsole: false,
  })
  const drawn = String(stdout.read())
  unmount()
  return drawn
}

describe('the status line', () => {
  const failed = reduce(startState(), {
    type: 'client',
    event: { type: 'fault', part: 'chanting', message: `it broke ${'badly '.repeat(50)}` },
    number: 0,
    at: 0,
  })

  it.each([40, 80, 200])('says which part of the guard failed, in %i columns', async (columns) => {
    const drawn = await draw(failed, columns)
    expect(drawn).toContain('! chanting failed: i')
    expect(drawn).toMatch(/guard enforce.* · \/help/)
    expect(drawn.trimEnd().split('\n')).toHaveLength(2)
  })

  it('says what it means and what to do', async () => {
    expect(await draw(failed, 120)).toContain('the guard continues without it; please report this')
    expect(await draw(startState(), 120)).not.toContain('report')
  })
})
