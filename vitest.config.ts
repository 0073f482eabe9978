import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const { exports } = JSON.parse(
  readFileSync(new URL('packages/unloop/package.json', import.meta.url), 'utf8'),
)

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))

const subpaths = Object.entries<{ import?: { default: string } }>(exports).flatMap(
  ([path, { import: built }]) =>
    path === '.' || !built
      ? []
      : {
          find: new RegExp(`^unloop/${path.slice(2)}$`),
          replacement: source(
            `unloop/${built.default.replace('dist', 'src').replace(/\.js$/, '.ts')}`,
          ),
        },
)

const LIBRARIES = [
  'packages/{bench,testing,transcripts}/{src,test}/**/*.test.ts',
  'packages/unloop/src/!(adapters)/**/*.test.ts',
]
const SOAKS = ['packages/*/{test,e2e}/**/*.soak.ts']

export default defineConfig(({ mode }) => {
  // `vitest run --mode soak` is `npm run test:soak`: the property tests read UNLOOP_SOAK
  const soak = mode === 'soak' || process.env.UNLOOP_SOAK === '1'
  return {
    resolve: {
      // tests run the sources, so that a failing line is a line somebody wrote
      alias: [
        { find: /^unloop$/, replacement: source('unloop/src/index.ts') },
        ...subpaths,
        { find: /^@unloop\/(agent|testing)\/(.+)$/, replacement: source('$1/src/$2.ts') },
        { find: /^@unloop\/(.+)$/, replacement: source('$1/src/index.ts') },
      ],
    },
    test: {
      projects: [
        // what a process has loaded serves all files of a library, which keeps nothing between them
        { extends: true, test: { name: 'libraries', isolate: false, include: LIBRARIES } },
        {
          extends: true,
          test: {
            name: 'programs',
            include: ['packages/*/{src,test,page}/**/*.test.{ts,tsx}'],
            exclude: [...configDefaults.exclude, ...LIBRARIES],
          },
        },
        ...(soak ? [{ extends: true, test: { name: 'soak', include: SOAKS } } as const] : []),
      ],
      // days begin at the same moment everywhere
      env: { TZ: 'UTC', ...(soak && { UNLOOP_SOAK: '1' }) },
      // properties take seconds, and a busy machine many times that
      testTimeout: soak ? 60 * 60_000 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      // one more than there are cores, because many tests wait for a server or a process
      maxWorkers: availableParallelism() + 1,
      // what a guard says of its faults is asserted where it matters; it is shown when a test fails
      silent: 'passed-only',
      allowOnly: !process.env.CI,
    },
  }
})
