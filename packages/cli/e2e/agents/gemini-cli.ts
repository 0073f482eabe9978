import { join } from 'node:path'
import type { RealAgent } from './agents.js'

export const geminiCli: RealAgent = {
  command: 'gemini',
  program: ({ cache }) => [
    process.execPath,
    join(cache, 'gemini-cli/node_modules/@google/gemini-cli/bundle/gemini.js'),
  ],
  headless: (prompt) => [
    ...['-p', prompt, '-m', 'gemini-2.5-pro', '--yolo', '--skip-trust'],
    ...['--output-format', 'stream-json'],
  ],
  env: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'x' }),
  files: () => ({
    '.gemini/settings.json': `{
  // a comment that has to survive
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false }
}
`,
  }),
}
