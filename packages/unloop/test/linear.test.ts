import { fileURLToPath } from 'node:url'
import { regexesIn, slowInputFor } from '@unloop/testing/linear-regexes'
import { describe, expect, it } from 'vitest'

const all = regexesIn(fileURLToPath(new URL('../src', import.meta.url)))

describe('regular expressions of the library', () => {
  it('stand in its source, but for those that are put together from words and have their own tests', () => {
    const made = all.filter(({ regex }) => !regex).map(({ place }) => place.replace(/:.*/s, ''))
    expect([...new Set(made)].sort()).toEqual([
      'host/cleared.ts',
      'reading/redact.ts',
      'reading/request.ts',
    ])
    expect(all.length).toBeGreaterThan(40)
  })

  it.each(all.filter(({ regex }) => regex))('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })
})
