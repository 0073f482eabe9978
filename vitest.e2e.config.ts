import { defineConfig } from 'vitest/config'

const INCLUDED: Record<string, string> = {
  // what wants a newer Node is run there by a test of its own
  node24: 'packages/*/e2e/node24/*.ts',
  // scripts/record-agents.mjs
  record: 'packages/*/e2e/**/*.fixtures.ts',
}

// what is tested here is built: real processes in real terminals
export default defineConfig(({ mode }) => ({
  test: {
    include: [INCLUDED[mode] ?? 'packages/*/e2e/**/*.e2e.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // each test is a process of its own, so a few at a time keep two cores busy
    maxConcurrency: 3,
    fileParallelism: false,
    // a real editor on a busy machine loses a key now and then; what is broken fails twice
    retry: process.env.CI ? 1 : 0,
    allowOnly: !process.env.CI,
  },
}))
