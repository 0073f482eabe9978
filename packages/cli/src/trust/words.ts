import { dirname } from 'node:path'
import type { Inspected } from './parts.js'
import type { Trust } from './trust.js'

/** Why a file is not used as it is, with what it would do. */
export function whyHeld({ file, parts }: Inspected, trust: Trust): string {
  const why = trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'
  return `${file.path} ${why}. It would\n${parts.map(({ does }) => `  - ${does}`).join('\n')}`
}

/** What the person can do about it. */
export const whatToDo = (inspected: Inspected): string =>
  `To review and trust it: ${trustCommand(inspected)}
To use it just this once: --trust. To continue without it: --no-trust.`

/** The same where the command continues without it. */
export const whatIsLeft = (inspected: Inspected): string =>
  `This is ignored. To review and trust it: ${trustCommand(inspected)}
To use it just this once: --trust. To hide this message: --no-trust.`

/** The command that trusts it. */
export const trustCommand = ({ file }: Pick<Inspected, 'file'>): string =>
  `unloop trust ${shellQuoted(dirname(file.path))}`

/** A path that a shell takes as one word. */
const shellQuoted = (path: string) =>
  /^[\w./~+@%:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
