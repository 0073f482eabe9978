import { join } from 'node:path'
import type { RealAgent } from './agents.js'

export const qwenCode: RealAgent = {
  command: 'qwen',
  program: ({ cache }) => [
    join(cache, 'qwen-code/node_modules/.bin/node'),
    join(cache, 'qwen-code/node_modules/@qwen-code/qwen-code/cli.js'),
  ],
  headless: (prompt) => ['-p', prompt, '--yolo', '--output-format', 'stream-json'],
  env: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'x', OPENAI_MODEL: 'm' }),
  files: () => ({
    '.qwen/settings.json': `{
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false }
}
`,
  }),
}
