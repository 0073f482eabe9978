import { fileURLToPath } from 'node:url'
import { regexesIn, slowInputFor } from '@unloop/testing/linear-regexes'
import { describe, expect, it } from 'vitest'
import { toModelError } from '../src/models/to-model-error.js'

const all = regexesIn(fileURLToPath(new URL('../src', import.meta.url)))
const written = all.filter(({ regex }) => regex)

describe('regular expressions of the agent', () => {
  it('stand in its source, but for those of the model, which run where they can be stopped', () => {
    const made = all.filter(({ regex }) => !regex).map(({ place }) => place)
    expect(made.filter((place) => !place.includes('matcher.ts'))).toEqual([])
    expect(written.length).toBeGreaterThan(30)
  })

  it.each(written)('take linear time: $place', ({ regex }) => {
    expect(regex && slowInputFor(regex)).toBeUndefined()
  })
})

it.each(['sk-', 'key_', 'AIza', 'AIzask-', '/', ' ', 'a'])(
  'an error of a megabyte of "%s" is told',
  (pump) => {
    const message = pump.repeat(1e6 / pump.length)
    toModelError({ statusCode: 400, message, responseBody: message }, { name: 'test/m' })
    toModelError(new Error(message), { name: 'test/m', secrets: [`${pump.repeat(3)}01234567`] })
    // quadratic time would be minutes, which the limit of a test ends
    expect(toModelError(new Error(message), { name: 'test/m' })).toBeInstanceOf(Error)
  },
)
