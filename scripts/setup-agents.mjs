// Puts the real coding agents where the end-to-end tests find them: a cache outside the repository (1.6 GB), each agent
// in a folder of its own. Prints the cache's folder as the last line. A second run only looks at the stamps.
import { fillCache } from './fill-cache.mjs'

const AGENTS = {
  'claude-code': ['@anthropic-ai/claude-code@2.1.325'],
  codex: ['@openai/codex@0.166.0'],
  'gemini-cli': ['@google/gemini-cli@0.61.0'],
  // with the Node that it wants
  'qwen-code': ['@qwen-code/qwen-code@0.24.4', 'node@24.21.0'],
  opencode: ['opencode-ai@1.18.33'],
  // what opencode installs into the folder of its settings before it loads plugins
  'opencode-plugin': ['@opencode-ai/plugin@1.18.33'],
}

fillCache('UNLOOP_AGENTS', 'unloop-agents', AGENTS)
