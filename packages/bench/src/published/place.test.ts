import { join } from 'node:path'
import { expect, test } from 'vitest'
import { peersFolder } from './place.js'

test('the folder can be chosen, else it lies in the cache of the user', () => {
  expect(peersFolder({ UNLOOP_BENCH_CACHE: '/x' })).toBe('/x')
  expect(peersFolder({ XDG_CACHE_HOME: '/c' })).toBe(join('/c', 'unloop-bench'))
  expect(peersFolder({})).toMatch(/\.cache.unloop-bench$/)
})
