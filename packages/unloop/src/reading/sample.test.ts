import { describe, expect, it } from 'vitest'
import { toInert } from '../intake/inert.js'
import { shorten, showCall } from './sample.js'

describe('a call in a finding', () => {
  it('is written as a person would', () => {
    expect(showCall('read', { path: 'a.ts', lines: [1, 2] })).toBe(
      'read({"path":"a.ts","lines":[1,2]})',
    )
    expect(showCall('ls', undefined)).toBe('ls()')
    expect(showCall('ls', null)).toBe('ls(null)')
    expect(showCall('add', 12n)).toBe('add(12n)')
  })

  it('is short, however large, deep or cyclic its arguments are', () => {
    const cyclic: Record<string, unknown> = { name: 'x' }
    cyclic.self = cyclic
    let deep: unknown = 'bottom'
    for (let i = 0; i < 10_000; i++) deep = [deep]
    const huge = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key${i}`, i]))
    const hostile = new Proxy(
      { a: 1 },
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    for (const args of [cyclic, deep, huge, hostile, 'x'.repeat(1e6)]) {
      expect(showCall('tool', toInert(args)).length).toBeLessThanOrEqual(160)
    }
  })

  it.each([
    ['password', { password: 'hunter22' }, 'hunter22'],
    ['key of a provider', { key: 'sk-abcdefghijklmnop1234' }, 'abcdefghijklmnop'],
    ['token of GitHub', { auth: 'ghp_abcdefghijklmnop1234' }, 'abcdefghijklmnop'],
    ['bearer token', { header: 'Authorization: Bearer abc.def.ghi-jkl' }, 'abc.def'],
    ['web token', { jwt: 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl' }, 'eyJzdWI'],
    ['secret in a command', { command: 'curl -d api_key=s3cr3tvalue https://a.b' }, 's3cr3tvalue'],
    ['password in an address', { url: 'postgres://admin:hunter22@db/shop' }, 'hunter22'],
    ['end of one that is cut', { a: `${'y'.repeat(400)} token=${'z'.repeat(60)}` }, 'zz'],
    ['address of a person', { to: 'ada.lovelace@example.org' }, 'lovelace'],
  ])('shows no %s', (_, args, secret) => {
    expect(showCall('send', args)).not.toContain(secret)
    expect(showCall('send', args)).toMatch(/\[(key|token|secret|e-mail)\]/)
  })
})

describe('a text in a finding', () => {
  it('keeps its beginning and its end', () => {
    const text = shorten(`begin ${'x'.repeat(5000)} end`)
    expect(text).toMatch(/^begin x+…x+ end$/)
    expect(text.length).toBe(160)
  })

  it('stays as it is if it is short', () =>
    expect(shorten('I will run it.')).toBe('I will run it.'))
})
