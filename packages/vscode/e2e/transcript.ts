/** What Claude Code writes for a request. */
export const claudePrompt = (cwd: string): string =>
  toLines([
    {
      ...{ type: 'user', uuid: 'u', parentUuid: null, sessionId: '5e55104', cwd, ...now() },
      message: { role: 'user', content: 'Why does the login test fail?' },
    },
  ])

/** What it writes for a call and its answer, always the same. */
export function claudeCall(
  number: number,
  cwd: string,
  path = 'src/login.ts',
  content = 'export const a = 1',
): string {
  const common = { sessionId: '5e55104', cwd, isSidechain: false, version: '2.0.0', ...now() }
  const parentUuid = number === 0 ? 'u' : `u${number - 1}`
  const call = {
    ...{ type: 'tool_use', id: `t${number}`, name: 'Read' },
    input: { file_path: path },
  }
  const answer = { type: 'tool_result', tool_use_id: `t${number}`, content }
  return toLines([
    {
      ...{ type: 'assistant', uuid: `a${number}`, parentUuid, ...common },
      message: { id: `m${number}`, role: 'assistant', model: 'claude', content: [call] },
    },
    {
      ...{ type: 'user', uuid: `u${number}`, parentUuid: `a${number}`, ...common },
      message: { role: 'user', content: [answer] },
    },
  ])
}

const now = () => ({ timestamp: new Date().toISOString() })

const toLines = (records: unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
