// the agents that `unloop init` can put a hook into, by the name of the program that wrote the transcript
const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'claude-code',
  codex: 'codex',
  'gemini-cli': 'gemini-cli',
  'qwen-code': 'qwen-code',
  opencode: 'opencode',
  cursor: 'cursor',
  'copilot-cli': 'copilot',
  cline: 'cline',
}

/** What `unloop init` calls this program; nothing if it has no hooks. */
export const hookNameOf = (program: string): string | undefined =>
  Object.hasOwn(NAMES, program) ? NAMES[program] : undefined

/** The command that shows what would be written, asks, and installs the hook. */
export const hookCommandFor = (name: string): string => `npx -y @unloop/cli init ${name}`
