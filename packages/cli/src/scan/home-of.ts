import { homedir } from 'node:os'
import type { Host } from '../host.js'

/** The home folder whose name is taken out of what is shown. */
export const homeOf = (host: Host): string => host.env.HOME ?? homedir()
