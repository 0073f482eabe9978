import { join } from 'node:path'
import type { RealAgent } from './agents.js'

export const codex: RealAgent = {
  command: 'codex',
  program: ({ cache }) => [join(cache, 'codex/node_modules/.bin/codex')],
  headless: (prompt) => [
    ...['exec', '--json', '--skip-git-repo-check'],
    // nobody is here to approve the hooks
    '--dangerously-bypass-hook-trust',
    prompt,
  ],
  env: () => ({ LOCAL_KEY: 'x' }),
  files: ({ url }) => ({
    '.codex/config.toml': `model = "gpt-5.1"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 0
stream_max_retries = 0
`,
  }),
}
