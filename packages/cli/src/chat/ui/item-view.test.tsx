import { PassThrough } from 'node:stream'
import { render } from 'ink'
import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import type { Item } from '../state.js'
import { ItemView } from './item-view.js'

function draw(item: Item, columns = 60): string[] {
  const stdout = Object.assign(new PassThrough(), { columns })
  const { unmount } = render(<ItemView item={item} columns={columns} />, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    patchConsole: false,
  })
  const drawn = String(stdout.read())
  unmount()
  return drawn.trimEnd().split('\n')
}

const finding: Finding = {
  ...{ detector: 'repeated-call', kind: 'same-answer', certainty: 'certain' },
  ...{ detail: 'read was called 4 times in a row with the same arguments', advice: 'Stop.' },
  ...{ identity: 'x', count: 4, period: 1, firstEvent: 3, lastEvent: 9, sample: '', strike: 1 },
  ...{ action: 'warn', wasted: { events: 7, characters: 0 } },
}
const likely: Finding = { ...finding, certainty: 'likely' }

describe('a warning', () => {
  it('that is only likely is one quiet line', () => {
    expect(draw({ type: 'warning', finding: likely })).toEqual([
      '· struggling, the model was told: read was called 4 times…',
    ])
  })

  it('that is certain has the advice beneath it', () => {
    const drawn = draw({ type: 'warning', finding }, 100)
    expect(drawn[0]).toBe('! stuck: read was called 4 times in a row with the same arguments')
    expect(drawn[1]).toBe('  the model was told: Stop.')
  })

  it('that was only recorded says which it is', () => {
    expect(draw({ type: 'observed', finding })[0]).toContain('! observed, stuck: read was')
    expect(draw({ type: 'observed', finding: likely })[0]).toContain('! observed, struggling: read')
  })
})
