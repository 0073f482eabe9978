import { join } from 'node:path'
import type { RealAgent } from './agents.js'

export const opencode: RealAgent = {
  command: 'opencode',
  program: ({ cache }) => [join(cache, 'opencode/node_modules/.bin/opencode')],
  headless: (prompt) => ['run', '--format', 'json', prompt],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  files: ({ url }) => ({
    '.config/opencode/opencode.json': `{
  "$schema": "https://opencode.ai/config.json",
  "model": "local/m",
  "permission": "allow",
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${url}/v1", "apiKey": "x" },
      "models": { "m": { "tool_call": true } }
    }
  }
}
`,
  }),
  // it installs this from the registry before it loads plugins, unless it is there
  links: ({ cache }) =>
    Object.fromEntries(
      ['package.json', 'package-lock.json', 'node_modules'].map((name) => [
        join('.config/opencode', name),
        join(cache, 'opencode-plugin', name),
      ]),
    ),
}
