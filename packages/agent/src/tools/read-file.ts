import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { openWithin, PathError } from './folder.js'
import { isBinary, readLines } from './read-text.js'

// about 10,000 tokens: what a model still reads with attention
const MAX_LINES = 1000
const MAX_CHARACTERS = 40_000

/** Reads a text file below the folder, or a part of it. */
export const readFileTool = (folder: string): Tool =>
  defineTool({
    name: 'read_file',
    description: 'Reads a text file. Long files come in parts: continue with offset.',
    effect: 'reads',
    parameters: z.object({
      path: z.string().min(1).describe('path of the file, from the project folder'),
      offset: z.int().min(1).optional().describe('first line to read, 1 if absent'),
      limit: z.int().min(1).optional().describe(`how many lines, at most ${MAX_LINES}`),
    }),
    async execute({ path, offset = 1, limit = MAX_LINES }) {
      const handle = await openWithin(folder, path)
      try {
        if (await isBinary(handle)) throw new PathError('a binary file', path)
        const count = Math.min(limit, MAX_LINES)
        const part = { from: offset, count, maxCharacters: MAX_CHARACTERS }
        const { lines, more, seen } = await readLines(handle, part)
        if (seen === 0) return '(an empty file)'
        if (lines.length === 0) throw new Error(`${path} has only ${seen} lines`)
        const text = lines.join('\n')
        return more ? `${text}\n[lines ${offset} to ${seen}; go on with offset ${seen + 1}]` : text
      } finally {
        await handle.close()
      }
    },
  })
