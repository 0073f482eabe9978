import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const UNLOOP = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const AGENT = fileURLToPath(new URL('acp-flood.mjs', import.meta.url))

/** Starts the agent that says much, alone or behind the proxy. */
export function startFlood(isGuarded: boolean, args: readonly string[]): ChildProcess {
  const command = isGuarded
    ? [UNLOOP, 'acp', '--', process.execPath, AGENT, ...args]
    : [AGENT, ...args]
  return spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] })
}

export const PROMPT = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'session/prompt',
  params: { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] },
})}\n`
