#!/usr/bin/env node
const [, , command, agent] = process.argv
// agents run the hook for every call, so it starts without the rest
if (command === 'hook' && agent !== '--help' && agent !== '-h') require('../dist/hook.cjs')
else start()

async function start() {
  const { run, tellError } = await import('../dist/run.js')
  // whatever gets this far is ours, and must not look like an answer; leaving gives the terminal back
  process.on('uncaughtException', (error) => process.exit(tellError(process, error)))
  process.exitCode = await run(process)
}
