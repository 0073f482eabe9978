import { isAbsolute, join, resolve } from 'node:path'
import { homeOf } from './home-of.js'
import type { Host } from './host.js'

/** Where unloop keeps what it remembers; the same from every folder. */
export function stateFolder(host: Pick<Host, 'env' | 'platform'>): string {
  const { env, platform } = host
  const home = homeOf(host)
  if (env.UNLOOP_HOME) return resolve(home, env.UNLOOP_HOME)
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'unloop')
  const { XDG_STATE_HOME: xdg } = env
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state'), 'unloop')
}
