import { homedir } from 'node:os'
import { join } from 'node:path'

/** The published packages of others that we compare with, and their versions. */
export const publishedPackages = {
  gemini: { name: '@google/gemini-cli-core', version: '0.61.0' },
  qwen: { name: '@qwen-code/qwen-code-core', version: '0.0.14' },
} as const

/** The file in each of them that contains the loop detection; neither exports it at its root. */
export const serviceFile = 'dist/src/services/loopDetectionService.js'

/** The folder outside the workspace where they are installed: hundreds of megabytes that nothing else needs. */
export function peersFolder(env: Record<string, string | undefined> = process.env): string {
  if (env.UNLOOP_BENCH_CACHE) return env.UNLOOP_BENCH_CACHE
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'unloop-bench')
}
