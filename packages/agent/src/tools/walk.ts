import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What a walk comes by: `path` from where it began, with slashes. */
export interface Found {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

// of these a model wants to see nothing unless it names them
const SKIPPED = new Set(['.git', 'node_modules'])

/** Everything below a real path in a stable order, folders before what is in them; links are not followed. */
export async function* walk(
  real: string,
  { recursive, prefix = '' }: { recursive: boolean; prefix?: string },
): AsyncGenerator<Found> {
  const entries = await readdir(real, { withFileTypes: true }).catch(() => [] as Dirent[])
  // by code unit: the same on every machine
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (SKIPPED.has(entry.name)) continue
    const path = prefix + entry.name
    yield { path, kind: kindOf(entry) }
    if (recursive && entry.isDirectory()) {
      yield* walk(join(real, entry.name), { recursive, prefix: `${path}/` })
    }
  }
}

function kindOf(entry: Dirent): Found['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}
