// Puts the SDKs that are too large for everybody's install, or want a newer Node, where the end-to-end tests of their adapters
// find them: a cache outside the repository. Prints its folder as the last line. A second run only looks at the stamps.
import { fillCache } from './fill-cache.mjs'

const SDKS = {
  // 414 MB, most of it the program that it starts
  'claude-agent': ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4.6.7'],
  // 340 MB with the Node that it wants
  mastra: ['@mastra/core@1.71.0', 'node@24.21.0', 'zod@4.6.7'],
}

fillCache('UNLOOP_SDKS', 'unloop-sdks', SDKS)
