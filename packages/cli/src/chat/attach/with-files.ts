import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createFileTools } from '@unloop/agent'
import { plural, showBytes } from 'unloop/words'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import { pathsIn } from './mention.js'

export interface WithFiles {
  /** what the model reads */
  request: string
  /** what the person reads about it, a line each */
  notes: string[]
}

// a bare @ is a mention of somebody in most texts; of files, more than these are a folder
const MOST = 10

/** A request with the content of the files that it names as `@path`; folders are listed. What does not exist stays text. */
export async function withFiles(text: string, folder: string): Promise<WithFiles> {
  const blocks: string[] = []
  const notes: string[] = []
  for (const path of pathsIn(text).slice(0, MOST)) {
    const read = await readPath(path, folder)
    if (read === undefined) continue
    notes.push(oneLine(printable(read.note), 200))
    if (read.content !== undefined) blocks.push(`${OPENS}${read.name}]\n${read.content}`)
  }
  return { request: [text, ...blocks].join('\n\n'), notes }
}

/** The request as it was typed, and the names of what came with it. */
export function withoutFiles(request: string): { text: string; attached: string[] } {
  const at = request.indexOf(`\n\n${OPENS}`)
  if (at < 0) return { text: request, attached: [] }
  const attached = request.slice(at).matchAll(/\n\n\[attached: ([^\]\n]{1,1024})\]\n/g)
  return { text: request.slice(0, at), attached: Array.from(attached, ([, name = '']) => name) }
}

const OPENS = '[attached: '

/** what may follow a path in a sentence */
const ENDS = ".,;:!?)]}>*`'’"

interface Read {
  name: string
  note: string
  content?: string
}

/** What a path stands for, with or without what ends a sentence; nothing if it does not exist and may be another word. */
async function readPath(path: string, folder: string): Promise<Read | undefined> {
  let end = path.length
  while (end > 0 && ENDS.includes(path.charAt(end - 1))) end--
  const bare = path.slice(0, end)
  for (const name of new Set([path, bare])) {
    if (name === '') continue
    const read = await tryRead(name, folder)
    if (read) return read
  }
  return isLikePath(bare) ? { name: bare, note: `not attached: ${bare}: no such file` } : undefined
}

/** Whether it can hardly be the name of a person or a package: it has an extension, or begins or ends like a path. */
const isLikePath = (text: string) => /^[./~]|\.[A-Za-z]\w{0,9}$|\/$/.test(text)

async function tryRead(path: string, folder: string): Promise<Read | undefined> {
  try {
    const content = await run('read_file', path, folder)
    const { size } = await stat(resolve(folder, path))
    return { name: path, note: `attached ${path} (${describeContent(content, size)})`, content }
  } catch (error) {
    const reason = (error as { reason?: string }).reason ?? (error as Error).message
    if (reason === 'no such file') return
    if (reason !== 'a folder, not a file') {
      return { name: path, note: `not attached: ${path} is ${reason}` }
    }
    const content = await run('list_files', path, folder)
    return { name: path, note: `attached the list of files in ${path}`, content }
  }
}

/** How much of a file of that size is in what was read of it. */
function describeContent(content: string, size: number): string {
  if (size === 0) return 'empty'
  const part = /\n\[lines 1 to (\d{1,9}); go on with offset \d{1,9}\]$/.exec(content)
  if (!part) return `${plural(content.split('\n').length, 'line')}, ${showBytes(size)}`
  const read = Buffer.byteLength(content.slice(0, part.index))
  return `only the first ${plural(Number(part[1]), 'line')}: ${showBytes(read)} of ${showBytes(size)}`
}

/** What the tool of that name says: it stays below the folder, and what it gives is bounded. */
async function run(name: string, path: string, folder: string): Promise<string> {
  const tool = createFileTools(folder).find((each) => each.name === name)
  return `${await tool?.execute({ path }, { signal: new AbortController().signal, report() {} })}`
}
