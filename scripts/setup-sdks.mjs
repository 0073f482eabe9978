// Puts the SDKs that are too large for everybody's install, or want a newer Node, where the end-to-end tests of their adapters
// find them: a cache outside the repository. Prints its folder as the last line. A second run only looks at the stamps.
import { fillCache } from './fill-cache.mjs'

const SDKS = {
  // 414 MB, most of it the program that it starts
  'claude-agent': ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4.6.7'],
  // 340 MB with the Node that it wants
  mastra: ['@mastra/core@1.71.0', 'node@24.21.0', 'zod@4.6.7'],
  // the first version that can be guarded, and the last that cannot
  'mastra-oldest': ['@mastra/core@1.42.0', 'too-old@npm:@mastra/core@1.41.0', 'zod@4.6.7'],
  // both ends of what the adapters' pages name; most of the newest want a newer Node
  newest: [
    '@anthropic-ai/sdk@1.9.0',
    '@google/genai@3.1.0',
    '@modelcontextprotocol/client@2.4.0',
    '@modelcontextprotocol/sdk@1.32.2',
    '@modelcontextprotocol/server@2.4.0',
    '@opentelemetry/api@1.10.0',
    '@opentelemetry/context-async-hooks@3.1.1',
    '@opentelemetry/sdk-metrics@3.1.1',
    // its name since 3
    '@opentelemetry/sdk-trace-base@npm:@opentelemetry/sdk-trace@3.1.1',
    'ai7-openai@npm:@ai-sdk/openai@4.0.115',
    'ai7@npm:ai@7.0.170',
    'openai@7.55.0',
    'zod@4.6.7',
  ],
  oldest: [
    '@google/genai@1.0.0',
    '@modelcontextprotocol/sdk@1.13.0',
    '@opentelemetry/api@1.9.0',
    '@opentelemetry/context-async-hooks@2.0.0',
    '@opentelemetry/sdk-metrics@2.0.0',
    '@opentelemetry/sdk-trace-base@2.0.0',
    'openai@5.0.0',
    'zod@3.25.76',
  ],
  // their schemas are those of zod 4
  'oldest-zod4': ['@anthropic-ai/sdk@1.0.0', 'zod@4.6.7'],
  deepagents: [
    '@langchain/core@1.2.13',
    '@langchain/langgraph@1.4.18',
    '@langchain/langgraph-sdk@1.12.0',
    '@langchain/openai@1.6.0',
    'deepagents@1.14.0',
    'langchain@1.5.14',
    'langsmith@0.9.0',
    'zod@4.6.7',
  ],
}

fillCache('UNLOOP_SDKS', 'unloop-sdks', SDKS)
