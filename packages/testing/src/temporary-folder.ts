import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of a test. */
export interface TemporaryFolder {
  /** its real path */
  path: string
  remove(): Promise<void>
}

/** Creates a folder with these files; the caller removes it. */
export async function makeFolder(
  files: Record<string, string | Uint8Array> = {},
): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'unloop-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
