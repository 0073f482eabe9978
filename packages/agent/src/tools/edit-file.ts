import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { openWithin, PathError, placeWithin, toPathError, toShown } from './folder.js'
import { toVisible, toVisibleLine } from './to-visible.js'

// what a person could not have looked through before agreeing
const MAX_BYTES = 5_000_000

/** Replaces one text in a file below the folder, or creates a file. */
export const editFileTool = (folder: string): Tool =>
  defineTool({
    name: 'edit_file',
    description:
      'Replaces a text that occurs exactly once in a file. Without old it creates a new file with the text of new.',
    effect: 'changes',
    parameters: z.object({
      path: z.string().min(1).describe('path of the file, from the project folder'),
      old: z
        .string()
        .optional()
        .describe('the text to replace, copied exactly; none for a new file'),
      new: z.string().describe('the text to put in its place'),
    }),
    confirm: ({ path, old = '', new: text }) =>
      old === ''
        ? `Create ${toVisibleLine(path)} with this text?\n${marked('+', text)}`
        : `Change ${toVisibleLine(path)}?\n${marked('-', old)}\n${marked('+', text)}`,
    async execute({ path, old = '', new: text }) {
      await refuseGit(folder, path)
      const before = await readWhole(folder, path)
      if (old === '') {
        if (before?.text) throw new Error(`${path} already exists; pass the text to replace as old`)
        await write(folder, path, text, before?.mode)
        return `created ${path}, ${text.split('\n').length} lines`
      }
      if (!before) throw new PathError('no such file', path)
      const { after, line } = replaceOnce(before.text, old, text, path)
      await write(folder, path, after, before.mode)
      return `changed ${path} at line ${line}`
    },
  })

const marked = (mark: string, text: string) =>
  toVisible(text)
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n')

/** Hooks and settings of git run programs, which is more than an edit. */
async function refuseGit(folder: string, path: string): Promise<void> {
  const names = (await toShown(folder, await placeWithin(folder, path))).split('/')
  if (names.some((name) => name.toLowerCase() === '.git')) {
    throw new PathError('not for editing', path)
  }
}

/** The file as text, nothing if there is none. */
async function readWhole(
  folder: string,
  path: string,
): Promise<{ text: string; mode: number } | undefined> {
  const handle = await openWithin(folder, path).catch((error) => {
    if (error instanceof PathError && error.reason === 'no such file') return undefined
    throw error
  })
  if (!handle) return
  try {
    const { size, mode } = await handle.stat()
    if (size > MAX_BYTES) throw new PathError('too big to edit', path)
    const text = toText(await handle.readFile())
    if (text === undefined) throw new PathError('a binary file', path)
    return { text, mode }
  } finally {
    await handle.close()
  }
}

/** A file whose bytes would not survive a round trip is not treated as text. */
function toText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function replaceOnce(before: string, old: string, text: string, path: string) {
  if (old === text) throw new Error('old and new are the same, so there is nothing to change')
  // models write line feeds whatever the file has
  const isWindows = !before.includes(old) && before.includes('\r\n')
  const [from, to] = isWindows ? [toWindows(old), toWindows(text)] : [old, text]
  const parts = before.split(from)
  if (parts.length === 1) {
    throw new Error(`old is not in ${path}; read the file and copy the text exactly`)
  }
  if (parts.length > 2) {
    throw new Error(`old occurs ${parts.length - 1} times in ${path}; add lines around it`)
  }
  return { after: parts.join(to), line: (parts[0] ?? '').split('\n').length }
}

const toWindows = (text: string) => text.replace(/\r?\n/g, '\r\n')

/**
 * Puts a new file in the place of the old one. That is atomic, so half a file is never read, and does not reach
 * through links: neither one that has just been put there, nor a hard link into a shared store.
 */
async function write(folder: string, path: string, text: string, mode?: number): Promise<void> {
  try {
    await mkdir(dirname(await placeWithin(folder, path)), { recursive: true })
    const place = await placeWithin(folder, path)
    const temporary = join(dirname(place), `.unloop-${randomUUID()}`)
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(text)
      if (mode !== undefined) await handle.chmod(mode & 0o777)
      if ((await placeWithin(folder, path)) !== place)
        throw new PathError('changed meanwhile', path)
      await rename(temporary, place)
    } finally {
      await handle.close()
      await rm(temporary, { force: true })
    }
  } catch (error) {
    throw toPathError(error as NodeJS.ErrnoException, path)
  }
}
