import { readFileSync } from 'node:fs'
import { createGuard, defaultDetectors } from 'unloop'
import { describe, expect, it } from 'vitest'
import { profiles } from './profiles.js'
import { withLimits } from './write-config.js'

const page = readFileSync(new URL('../../../../docs/thresholds.md', import.meta.url), 'utf8')

describe.each(profiles)('the limits for $name', ({ name, change, limits }) => {
  it('are accepted by a guard', () => {
    const detectors = withLimits(undefined, limits) as Record<string, Record<string, number>>
    expect(() => createGuard({ detectors })).not.toThrow()
  })

  it('are all stricter, or all more lenient, as it says', () => {
    const isStricter = limits.map(({ detector, option, value }) => {
      const known = defaultDetectors().find((one) => one.name === detector)
      return value < Number(known?.options[option])
    })
    expect(new Set(isStricter)).toEqual(new Set([change.startsWith('stricter')]))
  })

  it('stand in the page on thresholds', () => {
    const [, rest = ''] = page.split(`### ${name}\n`)
    const section = rest.split('\n### ')[0] ?? ''
    const json = section.match(/```json\n([\s\S]*?)```/)?.[1] ?? '{}'
    expect(JSON.parse(json).detectors).toEqual(withLimits(undefined, limits))
  })
})
