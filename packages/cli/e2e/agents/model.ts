import type { Body, Call, Reply, Script } from '@unloop/testing'

/** What the model wants in one turn: shell commands (parallel if several), words that end the run, words and commands, or any calls. */
export type Wish =
  | string
  | readonly string[]
  | { says: string; runs: readonly string[] }
  | { calls: Call[] }

/** What the model does in its n-th turn, 0 being the first. */
export type Wishes = (turn: number) => Wish | Promise<Wish>

/**
 * A model that asks for shell commands with the agent's own shell tool. Requests without one (titles, classifiers) get plain
 * words and are not turns.
 *
 * @example const provider = await startProvider(shellModel((turn) => (turn < 20 ? ['cat nothing.txt'] : 'Done.')))
 */
export function shellModel(wishes: Wishes): Script {
  let turn = 0
  return async ({ body }): Promise<Reply> => {
    const toCall = findShell(body)
    if (!toCall) return { text: 'A short title' }
    const wish = await wishes(turn++)
    if (typeof wish === 'string') return { text: wish }
    if ('calls' in wish) return wish
    if ('says' in wish) return { text: wish.says, calls: wish.runs.map(toCall) }
    return { calls: wish.map(toCall) }
  }
}

/** Whether a request is a turn of the agent, and not one for a title. */
export const isTurn = ({ body }: { body: Body }): boolean => findShell(body) !== undefined

function findShell(body: Body): ((command: string) => Call) | undefined {
  const names = namesOf(body)
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
}

/** The names of the tools, in any protocol. */
function namesOf({ tools }: Body): unknown[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap(({ name, function: made, functionDeclarations }) =>
    (functionDeclarations ?? [made ?? { name }]).map((tool: { name?: unknown }) => tool.name),
  )
}
