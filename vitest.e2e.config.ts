import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// the files that take a minute and more, longest first
const LONG = [
  'agents/healthy',
  'vscode/e2e/vscode',
  'claude-agent',
  'agents-loops',
  'answers',
  'agents-healthy',
  'versions',
  'weaken',
  'agents/loops',
  'run-agents',
  'e2e/redis',
  'e2e/run',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`${name}.e2e.ts`))
      return at < 0 ? LONG.length : at
    }
    return files.sort((one, other) => place(one) - place(other))
  }
}

const INCLUDED: Record<string, string> = {
  // what wants a newer Node is run there by a test of its own
  node24: 'packages/*/e2e/node24/*.ts',
  // scripts/record-agents.mjs
  record: 'packages/*/e2e/**/*.fixtures.ts',
  // `npm run bench:hooks`
  cost: 'packages/*/e2e/**/*.cost.ts',
  // scripts/record-requests.mjs
  requests: 'packages/*/e2e/**/*.requests.ts',
}

// what is tested here is built: real processes in real terminals
export default defineConfig(({ mode }) => ({
  test: {
    include: INCLUDED[mode] ? [INCLUDED[mode]] : ['packages/*/e2e/**/*.e2e.ts', 'scripts/*.e2e.ts'],
    // what runs inside a test must not pack while others install
    globalSetup: INCLUDED[mode] ? [] : 'packages/vscode/e2e/pack.ts',
    // only what never ends takes as long
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // most of the time, a test waits for a process of its own: three files, and a few tests in each, keep two cores busy
    maxConcurrency: 3,
    maxWorkers: 3,
    // a long file that comes last is run alone
    sequence: { sequencer: LongestFirst },
    // a real editor on a busy machine loses a key now and then; what is broken fails twice
    retry: process.env.CI ? 1 : 0,
    allowOnly: !process.env.CI,
  },
}))
