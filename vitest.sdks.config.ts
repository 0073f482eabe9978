import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config'
import own from './vitest.config.js'

const cache = process.env.UNLOOP_SDKS || join(homedir(), '.cache/unloop-sdks')

/** The SDKs that a set of scripts/setup-sdks.mjs has, in the place of those of this repository. */
function inPlace(set: string): Plugin {
  return {
    name: 'sdks',
    enforce: 'pre',
    resolveId(source, importer) {
      const [name = ''] = /^(?:@[^/]+\/)?[\w-]+/.exec(source) ?? []
      if (!importer || importer.includes(cache) || !name) return
      if (!existsSync(join(cache, set, 'node_modules', name))) return
      return this.resolve(source, join(cache, set, 'package.json'), { skipSelf: true })
    },
  }
}

// `vitest run --config vitest.sdks.config.ts --mode newest packages/unloop/src/adapters/openai`
export default defineConfig(({ mode }) =>
  mergeConfig(own({ mode: 'test', command: 'serve' }), { plugins: [inPlace(mode)] }),
)
