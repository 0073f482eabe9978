import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { regexesIn, slowInputFor } from './linear-regexes.js'

const all = regexesIn(fileURLToPath(new URL('../src', import.meta.url)))

describe('regular expressions', () => {
  it('are literals, so that they can be tried', () => {
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter(({ regex }) => !regex)).toEqual([])
  })

  it.each(all)('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })

  // otherwise the tests above would say nothing
  it.each([
    /^(a+)+$/,
    /(?:x|xx)*y/,
    /\s+$/,
    /<a>[\s\S]*?<\/a>/g,
    /\beyJ[\w-]{8,}\./,
    /\/chats\/.*\.jsonl?$/,
    /\d+\s*x/,
  ])('are found out if they do not: %s', (regex) => {
    expect(slowInputFor(regex)).toBeDefined()
  })
})
