import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectors as own } from 'unloop'
import { presetDetectors, presets } from 'unloop/presets'

import { describe, expect, it } from 'vitest'
import { DEFAULTS, PROVIDERS } from './settings.js'

const detectors = [...own, ...presetDetectors]

const folder = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const { commands, configuration } = manifest.contributes
const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => read(join('src', name)))
  .join('\n')

describe('the manifest', () => {
  it('has a text in both languages for every name it uses, and no other', () => {
    const used = new Set(
      [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name),
    )
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json']) {
      expect(new Set(Object.keys(JSON.parse(read(file)))), file).toEqual(used)
    }
  })

  it('declares the commands there are', () => {
    const declared = commands.map(({ command }: { command: string }) => command).sort()
    const registered = [...read('src/host/commands.ts').matchAll(/^ {4}'(unloop\.\w+)':/gm)]
    expect(registered.map(([, name]) => name).sort()).toEqual(declared)
  })

  it('offers the thresholds of the detectors as they are', () => {
    const { properties } = configuration.properties['unloop.detectors']
    for (const { name, options, finds } of detectors) {
      expect(properties[name].description).toBe(finds)
      const offered = Object.entries<{ default: unknown }>(properties[name].properties)
      expect(Object.fromEntries(offered.map(([key, value]) => [key, value.default]))).toEqual(
        options,
      )
    }
    expect(Object.keys(properties)).toHaveLength(detectors.length)
  })

  it('has the defaults that are used, and a scope for each setting', () => {
    for (const [name, value] of Object.entries(DEFAULTS)) {
      expect(configuration.properties[`unloop.${name}`].default, name).toEqual(value)
    }
    for (const property of Object.values<{ scope?: string }>(configuration.properties)) {
      expect(property.scope).toMatch(/^(window|machine|machine-overridable)$/)
    }
  })

  it('uses no setting of a folder that is not trusted, and no address of any folder', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces
    expect(supported).toBe('limited')
    expect([...restrictedConfigurations].sort()).toEqual(
      Object.keys(configuration.properties).sort(),
    )
    expect(configuration.properties['unloop.baseUrl'].scope).toBe('machine')
  })

  it('takes an address for each provider', () => {
    const { properties, additionalProperties } = configuration.properties['unloop.baseUrl']
    expect([Object.keys(properties), additionalProperties]).toEqual([PROVIDERS, false])
  })

  it('knows all presets', () => {
    const offered = configuration.properties['unloop.preset'].enum
    expect(offered).toEqual(['default', ...Object.keys(presets)])
  })
})

it('says everything in Chinese too', () => {
  const said = new Set(
    [...sources.matchAll(/\bt\(\s*(['"])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text]) => text),
  )
  expect(new Set(Object.keys(JSON.parse(read('l10n/bundle.l10n.zh-cn.json'))))).toEqual(said)
})
