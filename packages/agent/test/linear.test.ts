import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { toModelError } from '../src/models/to-model-error.js'
import { expressionsIn, slowAttackOn } from './attack.js'

const sources = fileURLToPath(new URL('../src', import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, ...expressionsIn(readFileSync(join(sources, path), 'utf8')) }))

describe('regular expressions of the agent', () => {
  it('stand in its source, but for those of the model, which run where they can be stopped', () => {
    expect(files.filter(({ made }) => made > 0).map(({ path }) => path)).toEqual([
      join('tools', 'matcher.ts'),
    ])
  })

  const all = files.flatMap(({ path, literals }) =>
    literals.map((expression) => ({ path, expression })),
  )

  it.each(all)('$expression in $path is linear', { timeout: 60_000 }, ({ expression }) => {
    expect(slowAttackOn(expression)).toBeUndefined()
  })

  it.each([
    /\b(?:AIza|(?:sk|pk|rk|key)[-_])(?=[\w.-]*[\d*])[\w*.-]{6,}/g,
    /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}/g,
    /\/+$/,
    /^(?:[a-z]+)+$/,
    /<!--.*-->/s,
    /(?:https?:\/\/)?\w+@/,
  ])('%s would be found out', { timeout: 60_000 }, (expression) => {
    expect(slowAttackOn(expression)).toBeDefined()
  })
})

it.each(['sk-', 'key_', 'AIza', 'AIzask-', '/', ' ', 'a'])(
  'an error of a megabyte of "%s" is told at once',
  (pump) => {
    const message = pump.repeat(1e6 / pump.length)
    const began = performance.now()
    toModelError({ statusCode: 400, message, responseBody: message }, { name: 'test/m' })
    toModelError(new Error(message), { name: 'test/m', secrets: [`${pump.repeat(3)}01234567`] })
    expect(performance.now() - began).toBeLessThan(5000)
  },
)
