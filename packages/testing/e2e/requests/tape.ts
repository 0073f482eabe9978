// A scripted provider that keeps what stood on the wire: each request, and what the model said to it.
import {
  type Answer,
  type Body,
  type Call,
  type ProtocolName,
  startProvider,
} from '@unloop/testing'

/** A request as a client sent it, with the answer that it got. */
export interface Take {
  protocol: ProtocolName
  path: string
  headers: Record<string, string>
  body: Body
  answer: Answer
}

/** What the model does about one request; `turn` counts the requests that offer the agent's shell or our own tool. */
export type Model = (request: { body: Body; turn: number; toCall: ToCall }) => Answer

/** A command as a call of the shell that the request offers. */
export type ToCall = (command: string) => Call

export interface Tape {
  url: string
  takes: Take[]
  close(): Promise<void>
}

/** Starts a provider whose model does what `model` says; requests without a tool to work with get `aside`. */
export async function startTape(
  model: Model,
  aside: (body: Body) => Answer = sayAside,
): Promise<Tape> {
  const takes: Take[] = []
  let turns = 0
  let calls = 0
  const provider = await startProvider(({ protocol, path, headers, body }) => {
    const toCall = findShell(body)
    const said =
      sayIfSummary(body) ?? (toCall ? model({ body, turn: turns++, toCall }) : aside(body))
    const answer: Answer = {
      ...said,
      ...(said.calls && {
        calls: said.calls.map((call) => ({ id: toId(protocol, calls++), ...call })),
      }),
    }
    const kept = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    takes.push({ protocol, path, headers: Object.fromEntries(kept), body, answer })
    return answer
  })
  return { url: provider.url, takes, close: provider.close }
}

/** Ids as long as those that the providers make up; Gemini makes none. */
function toId(protocol: ProtocolName, number: number): string {
  if (protocol === 'gemini') return ''
  return `${protocol === 'anthropic' ? 'toolu_01' : 'call_'}Recorded${String(number).padStart(10, '0')}`
}

const SUMMARY = [
  'Summary of the work so far: the person wants the shop to start again. The files of the shop were read one by one.',
  'The configuration in config.txt is complete. The build was asked for its progress several times, and it went on each time.',
  'What is left to do: look at the remaining files, run the tests once more, and tell the person what was wrong.',
].join('\n')

/** The tokens of a history that the agents replace by a summary. */
export const LONG = 170_000

export { SUMMARY }

/** What the model says to a request that is not part of the work. */
function sayAside(body: Body): Answer {
  return {
    text: JSON.stringify(body).includes('next_speaker')
      ? '{"reasoning":"The work is done.","next_speaker":"user"}'
      : 'Look at the shop',
  }
}

/** The summary, if the newest message asks for one; some agents offer all of their tools beside that. */
function sayIfSummary({ messages, contents, input }: Body): Answer | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: messages of four protocols
  const newest = [messages ?? contents ?? input].flat().at(-1) as any
  const asked = newest?.role === 'user' ? JSON.stringify(newest) : ''
  if (!/summary|summarize|state_snapshot/i.test(asked) || asked.includes(SUMMARY.slice(0, 24)))
    return
  const tag = ['summary', 'state_snapshot'].find((one) => asked.includes(`<${one}>`))
  return {
    text: tag ? `<${tag}>\n${SUMMARY}\n</${tag}>` : SUMMARY,
    // Qwen Code wants to see that the summary is shorter than what it replaces
    ...(tag === 'state_snapshot' && { usage: { inputTokens: LONG, outputTokens: 200 } }),
  }
}

/** The names of the tools that a request offers, in any protocol. */
function toolsOf({ tools }: Body): string[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap(({ name, function: made, functionDeclarations }) =>
    (functionDeclarations ?? [made ?? { name }]).map((tool: { name?: string }) => tool.name ?? ''),
  )
}

function findShell(body: Body): ToCall | undefined {
  const names = toolsOf(body)
  const name = Object.keys(SHELLS).find((one) => names.includes(one))
  const toArgs = name && SHELLS[name]
  return toArgs ? (command) => ({ name, args: toArgs(command) }) : undefined
}

const SHELLS: Record<string, (command: string) => object> = {
  Bash: (command) => ({ command, description: 'Run a command' }),
  bash: (command) => ({ command, description: 'Run a command' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  run_shell_command: (command) => ({ command, description: 'Run a command', is_background: false }),
  // the only tool of the programs with an SDK
  run: (command) => ({ command }),
}
