import { userInfo } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Host } from './host.js'

/** The person's home folder. */
export function homeOf({ env }: Pick<Host, 'env'>): string {
  // with an empty or relative one, whatever folder we are in would be at home; `homedir()` gives such a one back
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME
  try {
    return userInfo().homedir
  } catch {
    // a user without a name has no home folder
    return resolve('/')
  }
}
