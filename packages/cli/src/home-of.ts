import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Host } from './host.js'

/** The person's home folder. */
export function homeOf({ env }: Pick<Host, 'env'>): string {
  // with an empty or relative one, whatever folder we are in would be at home
  return env.HOME && isAbsolute(env.HOME) ? env.HOME : homedir()
}
