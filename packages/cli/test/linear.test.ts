import { fileURLToPath } from 'node:url'
import { regexesIn, slowInputFor } from '@unloop/testing/linear-regexes'
import { describe, expect, it } from 'vitest'
import { createCleaner } from '../src/scan/redact.js'

const all = regexesIn(fileURLToPath(new URL('../src', import.meta.url)))
const written = all.filter(({ regex }) => regex)

describe('regular expressions of the command', () => {
  it('stand in its source, but for the name of the home folder', () => {
    const made = all.filter(({ regex }) => !regex).map(({ place }) => place)
    expect(made.filter((place) => !place.startsWith('scan/redact.ts'))).toEqual([])
    expect(made).toHaveLength(2)
    expect(written.length).toBeGreaterThan(30)
  })

  it.each(written)('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })
})

it.each(['/home/a.b', '/home/a.b/', '-home-a-b', '-', '/', '…', 'a…', 'a', 'C:/Users/'])(
  'a megabyte of "%s" is quoted',
  (pump) => {
    const text = pump.repeat(1e6 / pump.length)
    const clean = createCleaner('/home/a.b')
    // quadratic time would be minutes, which the limit of a test ends
    expect(clean.text(text)).toBeTypeOf('string')
    expect(clean.sample(text)).toBeTypeOf('string')
  },
)
