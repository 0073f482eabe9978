import { readdirSync, readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import * as aiSdk from '../../src/adapters/ai-sdk/index.js'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as claudeAgent from '../../src/adapters/claude-agent/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as langchain from '../../src/adapters/langchain/index.js'
import * as mastra from '../../src/adapters/mastra/index.js'
import * as mcp from '../../src/adapters/mcp/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import * as openaiAgents from '../../src/adapters/openai-agents/index.js'
import * as otel from '../../src/adapters/otel/index.js'
import * as host from '../../src/host/index.js'
import * as unloop from '../../src/index.js'

const docs = new URL('../../../../docs/', import.meta.url)
const pages = [
  ...readdirSync(new URL('adapters/', docs)).map((name) => `adapters/${name}`),
  ...['servers.md', 'options.md', 'choices.md', 'judge.md'],
]

const blocks = pages.flatMap((page) => {
  const text = readFileSync(new URL(page, docs), 'utf8')
  const found = [...text.matchAll(/^```(ts|js)\n([\s\S]*?)^```/gm)]
  return found.map(([, loader, code = ''], at) => ({ page: `${page} ${at + 1}`, loader, code }))
})

const PUBLIC = new Set(
  [unloop, host, aiSdk, anthropic, claudeAgent, google, langchain, mastra, mcp, openai]
    .concat([openaiAgents, otel] as never[])
    .flatMap((names) => Object.keys(names)),
)

it.each(blocks)(
  '$page can be copied: it has no gaps, and imports what it uses of ours',
  async ({ loader, code }) => {
    await transform(code, { loader: loader as 'ts' })
    const imports = [...code.matchAll(/^import (?:type )?(?:\w+, )?\{([^}]*)\}/gm)].join(' ')
    const called = [...code.matchAll(/(?<![.\w'])(\w+)\(/g)].map(([, name = '']) => name)
    const missing = called.filter(
      (name) => PUBLIC.has(name) && !new RegExp(`\\b${name}\\b`).test(imports),
    )
    expect(missing).toEqual([])
  },
)
