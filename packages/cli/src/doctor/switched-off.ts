import { dirname, join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { Host } from '../host.js'
import { parseJsonc } from '../init/jsonc.js'
import { placeOf } from '../init/ours.js'
import { readTarget, textOf } from '../init/target.js'

/** Where the agent's own settings switch all hooks off: the file and the words in it. */
export function switchedOff(
  host: Host,
  agent: CodingAgent,
): { path: string; words: string } | undefined {
  const settings = settingsFiles(host, agent).map((path) => ({ path, value: settingsIn(path) }))
  return SWITCHES.flatMap(({ words, read }) => {
    // what is nearer to the project wins
    const told = settings.findLast(({ value }) => read(value) !== undefined)
    return told && read(told.value) === true ? [{ path: told.path, words }] : []
  })[0]
}

interface Settings {
  disableAllHooks?: unknown
  hooksConfig?: { enabled?: unknown } | null
}

const SWITCHES: { words: string; read(settings: Settings): boolean | undefined }[] = [
  {
    words: '"disableAllHooks": true',
    read: ({ disableAllHooks: value }) => (value === undefined ? undefined : value === true),
  },
  {
    words: '"hooksConfig": {"enabled": false}',
    read: ({ hooksConfig }) =>
      hooksConfig?.enabled === undefined ? undefined : hooksConfig.enabled === false,
  },
]

function settingsFiles(host: Host, { name, install }: CodingAgent): string[] {
  const paths = (['user', 'project'] as const)
    .flatMap((scope) => install.files(scope, placeOf(host), ''))
    .flatMap((file) => (file.type === 'entries' ? file.path : []))
  const [, project] = paths
  return name === 'claude-code' && project
    ? [...paths, join(dirname(project), 'settings.local.json')]
    : paths
}

function settingsIn(path: string): Settings {
  try {
    const target = readTarget(path)
    return target.bytes ? getNodeValue(parseJsonc(textOf(target).text, path).root) : {}
  } catch {
    // the search for our hook has told why
    return {}
  }
}
