import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectors as own } from 'unloop'
import { presetDetectors, presets } from 'unloop/presets'
import { describeCost, type Translate } from 'unloop/words'

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
    const registered = ['src/host/commands.ts', 'src/host/loop-commands.ts'].flatMap((file) => [
      ...read(file).matchAll(/^ {4}'(unloop\.\w+)':/gm),
    ])
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

describe('the page in the gallery', () => {
  const { repository, scripts, icon, galleryBanner, categories, keywords } = manifest
  const pictures = [...read('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, path = '']) => path,
  )

  it('says where everything is', () => {
    const root = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
    expect(manifest.homepage).toBe(`${root}/tree/main/${repository.directory}#readme`)
    expect(manifest.bugs).toBe(`${root}/issues`)
    expect([manifest.license, manifest.publisher, manifest.pricing]).toEqual([
      'Apache-2.0',
      'unloop',
      'Free',
    ])
    expect(galleryBanner).toEqual({ color: expect.stringMatching(/^#[\da-f]{6}$/), theme: 'dark' })
    expect(categories).toContain('AI')
    expect(keywords.length).toBeLessThanOrEqual(30)
    expect(existsSync(join(folder, icon))).toBe(true)
  })

  it('has pictures that are found from anywhere', () => {
    const place = `unloop-dev/unloop`
    // paths of a README are read from the root of a repository, unless vsce is told where it is
    expect(scripts.vsce).toContain(
      `--baseImagesUrl https://raw.githubusercontent.com/${place}/main/${repository.directory} `,
    )
    expect(scripts.vsce).toContain(
      `--baseContentUrl https://github.com/${place}/blob/main/${repository.directory} `,
    )
    expect(pictures.length).toBeGreaterThan(3)
    for (const path of pictures) expect(existsSync(join(folder, path)), path).toBe(true)
  })

  it('has links that lead somewhere', () => {
    const links = [...read('README.md').matchAll(/[^!]\[[^\]]+\]\(([^):]+)\)/g)].map(
      ([, path = '']) => path,
    )
    expect(links.length).toBeGreaterThan(1)
    for (const path of links) {
      expect(existsSync(join(folder, path.replace(/#.*/, ''))), path).toBe(true)
    }
  })

  it('has a changelog with the version, and the pictures of the walkthrough are packed', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`)
    const packed = read('.vscodeignore').split('\n')
    expect(packed).toContain('!CHANGELOG.md')
    const [{ steps }] = manifest.contributes.walkthroughs
    for (const { media } of steps) expect(packed).toContain(`!${media.image}`)
  })
})

/** The texts that are passed to a translation in this source. */
const textsIn = (source: string) =>
  [...source.matchAll(/\bt\(\s*(['"])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text]) => text)

/** The texts of the shared words that are chosen while they are put together. */
function spokenTexts(): string[] {
  const texts: string[] = []
  const t: Translate = (text) => {
    texts.push(text)
    return text
  }
  for (const count of [1, 2]) {
    describeCost({ events: count, characters: count, tokens: count }, { dollars: 1, t })
  }
  return texts
}

it('says everything in Chinese too, the words that all programs share among it', () => {
  const words = join(folder, '../unloop/src/words')
  const shared = readdirSync(words)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(words, name), 'utf8'))
  const said = new Set([sources, ...shared].flatMap(textsIn).concat(spokenTexts()))
  expect(new Set(Object.keys(JSON.parse(read('l10n/bundle.l10n.zh-cn.json'))))).toEqual(said)
})
