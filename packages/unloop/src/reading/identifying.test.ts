import { describe, expect, it } from 'vitest'
import { type Identity, identifying, ordinalIn, targetOf } from './identifying.js'

const reads: Identity = { effect: 'reads', shell: false }
const changes: Identity = { effect: 'changes', shell: false }
const shell: Identity = { effect: 'unknown', shell: true }

describe('the arguments that say which call it is', () => {
  it.each(['description', 'reason', 'explanation', 'thought', 'timeout_ms', 'request_id'])(
    'leave out %s in a tool that reads, beside what it looks at',
    (name) => {
      expect(identifying({ path: 'a.ts', [name]: 'x' }, reads)).toEqual({ path: 'a.ts' })
      expect(identifying({ query: 'login', [name]: 'x' }, reads)).toEqual({ query: 'login' })
    },
  )

  it.each(['uid', 'ref', 'note', 'comment', 'since', 'timestamp', 'delay_ms', 'limit'])(
    'keep %s, whatever the tool does',
    (name) => {
      const args = { path: 'a.ts', [name]: 'x' }
      expect(identifying(args, reads)).toEqual(args)
      expect(identifying(args, changes)).toEqual(args)
    },
  )

  it('keep an explanation in a tool that acts, or if nothing else says what it is about', () => {
    for (const args of [{ project: 'ops', description: 'x' }, { description: 'x' }]) {
      expect(identifying(args, changes)).toEqual(args)
      expect(identifying(args)).toEqual(args)
      expect(identifying(args, reads)).toEqual(args)
    }
  })

  it('leave out all but the command line of a shell, whatever it does', () => {
    const args = { command: 'npm test', description: 'run the tests', timeout: 30 }
    expect(identifying(args, shell)).toEqual({ command: 'npm test' })
    expect(identifying(args)).toEqual({ command: 'npm test' })
  })

  it('keep what is beside the operation of an editor', () => {
    const args = { command: 'create', description: 'a new page' }
    expect(identifying(args, changes)).toEqual(args)
  })

  it('are those that the host names', () => {
    const args = { tenant: 'acme', uid: 'u1', trace: 't1', description: 'x' }
    expect(identifying(args, { ...changes, identify: ['uid'] })).toEqual({ uid: 'u1' })
    expect(identifying(args, { ...changes, ignore: ['trace'] })).toEqual({
      tenant: 'acme',
      uid: 'u1',
      description: 'x',
    })
    expect(identifying(args, { ...changes, identify: ['nothing'] })).toEqual(args)
  })
})

describe('what a call is about', () => {
  it('is a path or an address', () => {
    expect(targetOf({ path: 'a.ts', limit: 3 })).toBe(targetOf({ file: 'a.ts' }))
    expect(targetOf({ command: 'cat src/a.ts' })).not.toBe(0)
    expect(targetOf({ query: 'login' })).toBe(0)
    expect(targetOf('a.ts')).toBe(0)
  })

  it('is a number if there is only one', () => {
    expect(ordinalIn({ number: 7 })).toBe(ordinalIn({ id: 'item-7' }))
    expect(ordinalIn({ number: 0 })).not.toBe(0)
    expect(ordinalIn({ number: 7, page: 2 })).toBe(0)
    expect(ordinalIn({ name: 'seven' })).toBe(0)
  })
})
