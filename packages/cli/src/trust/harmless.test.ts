import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultDetectors } from 'unloop'
import { describe, expect, it } from 'vitest'
import { createClaude, createHookHost } from '../../test/hooks.js'
import { divide, tightened } from './harmless.js'

const usual = defaultDetectors().map(({ name }) => name)

describe('a folder that switches detectors on', () => {
  it.each(usual)('leaves %s as it is, which is on', (name) => {
    const { harmless } = divide({ detectors: { [name]: true } })
    expect(tightened({}, harmless)).toEqual({})
    const own = { detectors: { [name]: false } }
    expect(tightened(own, harmless)).toEqual(own)
  })

  it('does not make a hook more patient', () => {
    const words = 'alpha beta gamma delta eps zeta eta theta iota kappa lam mu nu xi omi pi rho sig'
    const names = `${words} tau ups phi chi psi ome aa bb cc dd ee ff gg hh ii jj kk`.split(' ')
    const refusedAt = (config: object) => {
      const host = createHookHost()
      const cwd = join(host.cwd(), 'project')
      mkdirSync(cwd)
      writeFileSync(join(cwd, 'unloop.config.json'), JSON.stringify(config))
      const claude = createClaude(host, { cwd })
      claude.prompt('Fix the build')
      return names.findIndex((name, at) => {
        const command = `node scripts/${name}.js --mode ${names[(at * 7) % names.length]}`
        return !claude.call(command, `Error: Cannot find module '${name}'`).hasRun
      })
    }
    const plain = refusedAt({})
    expect(plain).toBeGreaterThan(5)
    expect(refusedAt({ detectors: { failing: true } })).toBe(plain)
  })
})
