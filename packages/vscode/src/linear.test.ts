import { fileURLToPath } from 'node:url'
import { regexesIn, slowInputFor } from '@unloop/testing/linear-regexes'
import { describe, expect, it } from 'vitest'

const all = ['.', '../view'].flatMap((folder) =>
  regexesIn(fileURLToPath(new URL(folder, import.meta.url))),
)

describe('regular expressions', () => {
  it('are all written down, so that they can be tested', () => {
    expect(all.filter(({ regex }) => !regex)).toEqual([])
    expect(all.length).toBeGreaterThan(8)
  })

  it.each(all)('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })
})
