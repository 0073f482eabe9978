import { claudeCode } from './claude-code.js'
import { codex } from './codex.js'
import { geminiCli } from './gemini-cli.js'
import { opencode } from './opencode.js'
import { qwenCode } from './qwen-code.js'

/** Where an agent lives in a test. */
export interface Place {
  home: string
  project: string
  /** the provider, without a path */
  url: string
  /** the folder with the installed agents */
  cache: string
}

/** How a real agent is started, so that it talks to nobody but our provider. */
export interface RealAgent {
  /** the name of its program */
  command: string
  /** the program as installed, in words */
  program(place: Place): string[]
  /** the arguments of a run without a terminal that prints JSON lines and asks nobody */
  headless(prompt: string): string[]
  env(place: Place): Record<string, string>
  /** what has to be in its HOME: paths and contents */
  files(place: Place): Record<string, string>
  /** what is linked there from the cache: paths and targets */
  links?(place: Place): Record<string, string>
}

/** The real agents, by their names in `unloop init`. */
export const agents = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
  opencode,
} satisfies Record<string, RealAgent>

export type AgentName = keyof typeof agents

export const agentNames = Object.keys(agents) as AgentName[]
