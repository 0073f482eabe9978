import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { homeOf } from '../home-of.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'

export type Place = Pick<Host, 'env' | 'platform'>

/** A path that is not known, as after `cd $(…)`. */
export const UNKNOWN = '/?'

/** A path of a command line or a tool, without its links if it is there. */
export function placeOf(host: Place, folder: string, path: string): string {
  const home = homeOf(host)
  const plain = path
    .replace(/^file:\/\//, '')
    .replace(/^~(\w*)(?=\/|$)/, (same, user) => (!user || user === basename(home) ? home : same))
  return real(isAbsolute(plain) ? resolve(plain) : resolve(folder, plain))
}

/** Whether this file takes effect without the person: what unloop keeps, its configuration in the home folder, and what agents load it by. */
export function isProtected(host: Place, folder: string, path: string): boolean {
  const place = placeOf(host, folder, path)
  const state = real(stateFolder(host))
  return (
    isIn(place, state) ||
    (dirname(place) === real(homeOf(host)) && CONFIG.test(basename(place))) ||
    /[/\\]\.?opencode[/\\]plugin[/\\]unloop\.js$/.test(place)
  )
}

/** Whether what a command removes, with all that is in it, is one of the guard's files. */
export function isRemoved(host: Place, folder: string, path: string): boolean {
  if (isProtected(host, folder, path)) return true
  const place = placeOf(host, folder, path)
  const state = real(stateFolder(host))
  if (!/[*?]/.test(path)) return isIn(state, place)
  const home = real(homeOf(host))
  const named = CONFIGS.map((name) => join(home, name)).filter(existsSync)
  return [...parentsOf(state), ...named].some((file) => isFound(place, file))
}

const CONFIG = /^unloop\.config\.(?:json|m?ts|m?js)$/
const CONFIGS = ['json', 'ts', 'mts', 'js', 'mjs'].map((ending) => `unloop.config.${ending}`)

const isIn = (place: string, folder: string) =>
  place === folder || place.startsWith(join(folder, '/'))

function parentsOf(place: string): string[] {
  const parent = dirname(place)
  return parent === place ? [] : [place, ...parentsOf(parent)]
}

/** Whether a shell finds the file by this name with stars. */
function isFound(glob: string, file: string): boolean {
  const parts = glob.split('/')
  const names = file.split('/')
  return parts.length === names.length && parts.every((part, at) => isNamed(part, names[at] ?? ''))
}

/** Takes linear time in practice: a star takes as little as it can, and only the last one is tried again. */
function isNamed(part: string, name: string): boolean {
  let star = -1
  let taken = 0
  let at = 0
  for (let to = 0; to < name.length; ) {
    if (part[at] === '*') {
      star = at++
      taken = to
    } else if (part[at] === '?' || part[at] === name[to]) {
      at++
      to++
    } else if (star >= 0) {
      at = star + 1
      to = ++taken
    } else return false
  }
  return /^\**$/.test(part.slice(at))
}

/** A path without links; the last part need not be there. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch {
      return path
    }
  }
}
