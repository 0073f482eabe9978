import { join } from 'node:path'
import type { RealAgent } from './agents.js'

export const claudeCode: RealAgent = {
  command: 'claude',
  program: ({ cache }) => [join(cache, 'claude-code/node_modules/.bin/claude')],
  headless: (prompt) => [
    ...['-p', prompt, '--output-format', 'stream-json', '--verbose'],
    ...['--allowedTools', 'Bash(*)'],
  ],
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'x',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  }),
  files: () => ({}),
}
