import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { findWithin, PathError, toShown } from './folder.js'
import { type Found, walk } from './walk.js'

// a screenful for a model; a bigger tree is better read folder by folder
const MAX_ENTRIES = 500

/** Lists what is in a folder. */
export const listFilesTool = (folder: string): Tool =>
  defineTool({
    name: 'list_files',
    description:
      'Lists the files of a folder; folders end with a slash. .git and node_modules are left out unless named.',
    effect: 'reads',
    parameters: z.object({
      path: z.string().optional().describe('path of the folder; the project folder if absent'),
      recursive: z.boolean().optional().describe('whether to list what is in its folders too'),
    }),
    async execute({ path = '.', recursive = false }, { signal }) {
      const real = await findWithin(folder, path || '.')
      if (!(await stat(real)).isDirectory()) throw new PathError('a file, not a folder', path)
      const shown = await toShown(folder, real)
      const lines: string[] = []
      for await (const found of walk(real, {
        recursive,
        prefix: shown === '.' ? '' : `${shown}/`,
      })) {
        signal.throwIfAborted()
        if (lines.length === MAX_ENTRIES) {
          lines.push(`[more than ${MAX_ENTRIES}; list one of the folders to see what is in it]`)
          break
        }
        lines.push(found.path + MARKS[found.kind])
      }
      return lines.join('\n') || '(an empty folder)'
    },
  })

const MARKS: Record<Found['kind'], string> = {
  file: '',
  folder: '/',
  link: ' (a link)',
  other: ' (not a file)',
}
