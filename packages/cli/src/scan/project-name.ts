/**
 * The name of a project as a person would say it: the last part of its path, or that of the repository if the path is a
 * worktree of it, with the name of the worktree if that says something.
 *
 * @example
 * projectName('/home/ada/shop') // 'shop'
 * projectName('/home/ada/.codex/worktrees/3/shop') // 'shop'
 * projectName('/home/ada/shop/.claude/worktrees/fix-login') // 'shop (fix-login)'
 */
export function projectName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '')
  const last = parts.at(-1) ?? path
  const at = parts.findLastIndex((_, i) => isContainer(parts, i))
  const name = parts[at + 1]
  if (at < 0 || name === undefined) return last
  if (isForAll(parts, at)) {
    // Codex keeps `worktrees/<number>/<repository>`, Cursor and Conductor `<repository>/<name>`
    const inside = parts[at + 2] ?? name
    return isTelling(name) ? withWorktree(name, inside) : inside
  }
  const repository = parts.slice(0, at).findLast((part) => !part.startsWith('.'))
  return repository === undefined ? last : withWorktree(repository, name)
}

/** Whether this part of a path is a folder of worktrees. */
const isContainer = (parts: readonly string[], i: number) =>
  /^(?:\.?(?:git-)?worktrees|\.conductor)$/i.test(parts[i] ?? '') ||
  (parts[i] === 'workspaces' && parts[i - 1] === 'conductor')

/** Whether it holds those of all repositories, and does not stand in one. */
const isForAll = (parts: readonly string[], i: number) =>
  /^(?:\.codex|\.cursor|conductor)$/.test(parts[i - 1] ?? '')

/** Whether a name says more than that there are several: not `3`, `a1b2c3d`, or a UUID. */
const isTelling = (name: string) => !/^(?:\d+|[0-9a-f]{4,40}|[0-9a-f-]{36})$/i.test(name)

const withWorktree = (repository: string, name: string) =>
  repository === name || !isTelling(name) ? repository : `${repository} (${name})`
