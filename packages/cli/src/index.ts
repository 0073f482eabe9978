export { type Config, defineConfig } from './config/config.js'
export type { ExitCode } from './exit-code.js'
export type { Host } from './host.js'
export { run } from './run.js'
