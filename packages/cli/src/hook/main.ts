import { fstatSync, writeSync } from 'node:fs'
import { hook } from './hook.js'
import { log } from './log.js'
import { isMadeUp } from './made-up.js'
import { readInput } from './read-input.js'

// `unloop hook AGENT`, alone in one file: it runs for every call of an agent, so nothing else is loaded

const [, , command, agent] = process.argv
try {
  if (command !== 'hook')
    log(process, 'hook', `there is no command ${JSON.stringify(command)} here`)
  else if (fstatSync(0).isCharacterDevice() && process.stdin.isTTY) explain()
  else answer()
} catch (error) {
  // whatever happens here, the agent continues
  log(process, agent ?? 'hook', String(error))
}

function answer(): void {
  // what an agent makes up is no event; it reads nothing
  if (isMadeUp(process, fstatSync(0))) {
    log(process, agent ?? 'hook', 'an event that a command of the agent has made up is ignored')
    return
  }
  const { stdout, exitCode } = hook(process, agent, readInput())
  if (stdout) writeSync(1, JSON.stringify(stdout))
  if (exitCode !== undefined) process.exitCode = exitCode
}

function explain(): void {
  console.error(`unloop hook reads an event of an agent from its standard input.
To put it into an agent, run: unloop init`)
}
