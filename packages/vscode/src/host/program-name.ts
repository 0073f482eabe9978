const NAMES: Record<string, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'qwen-code',
}

/** A program as its people write it. */
export const programName = (program: string): string => NAMES[program] ?? program
