import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { findWithin, openWithin, toShown } from './folder.js'
import { createMatcher, type Match } from './matcher.js'
import { isBinary } from './read-text.js'
import { walk } from './walk.js'

// for more, a more precise search is better
const MAX_MATCHES = 100
const MAX_MATCH_LENGTH = 200
// sources are smaller; what is bigger is data or generated
const MAX_FILE_BYTES = 2_000_000

/** Finds lines in the text files below the folder. */
export const searchFilesTool = (folder: string): Tool =>
  defineTool({
    name: 'search_files',
    description:
      'Finds the lines that match a regular expression, as path:line: text. .git and node_modules are left out.',
    effect: 'reads',
    parameters: z.object({
      pattern: z.string().min(1).describe('regular expression, of JavaScript'),
      path: z
        .string()
        .optional()
        .describe('file or folder to search; the project folder if absent'),
    }),
    async execute({ pattern, path = '.' }, { signal }) {
      const matcher = createMatcher(pattern)
      const notes = matcher.isPlain ? ['no regular expression, so searched as plain text'] : []
      const lines: string[] = []
      let skipped = 0
      for await (const file of filesOf(folder, path || '.')) {
        signal.throwIfAborted()
        const text = await readSmall(folder, file)
        if (text === undefined) skipped++
        for (const match of matcher.find(text ?? '', MAX_MATCHES + 1 - lines.length)) {
          lines.push(toLine(file, match))
        }
        if (lines.length > MAX_MATCHES) break
      }
      if (lines.length > MAX_MATCHES) {
        lines.length = MAX_MATCHES
        notes.push(`more than ${MAX_MATCHES} matches; search for something rarer or in one path`)
      }
      if (skipped > 0)
        notes.push(`${skipped} files over ${MAX_FILE_BYTES / 1e6} MB were not searched`)
      const found = lines.length > 0 ? lines : [`nothing matches ${pattern}`]
      return [...found, ...notes.map((note) => `[${note}]`)].join('\n')
    },
  })

const toLine = (file: string, { line, text }: Match) =>
  `${file}:${line}: ${text.length > MAX_MATCH_LENGTH ? `${text.slice(0, MAX_MATCH_LENGTH)}…` : text}`

async function* filesOf(folder: string, path: string): AsyncGenerator<string> {
  const real = await findWithin(folder, path)
  const shown = await toShown(folder, real)
  if (!(await stat(real)).isDirectory()) return yield shown
  const prefix = shown === '.' ? '' : `${shown}/`
  for await (const found of walk(real, { recursive: true, prefix })) {
    if (found.kind === 'file') yield found.path
  }
}

/** The text of a file; none of a binary or unreadable one, and undefined of one that is too big. */
async function readSmall(folder: string, path: string): Promise<string | undefined> {
  const handle = await openWithin(folder, path).catch(() => undefined)
  if (!handle) return ''
  try {
    if (await isBinary(handle)) return ''
    if ((await handle.stat()).size > MAX_FILE_BYTES) return undefined
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
