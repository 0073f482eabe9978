import { fileURLToPath } from 'node:url'
import { regexesIn, slowInputFor } from '@unloop/testing/linear-regexes'
import { describe, expect, it } from 'vitest'

const all = regexesIn(fileURLToPath(new URL('../src', import.meta.url)))

describe('regular expressions', () => {
  it('are literals, so that they can be tried', () => {
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter(({ regex }) => !regex)).toEqual([])
  })

  it.each(all)('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })
})
