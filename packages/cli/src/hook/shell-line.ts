/** One command of a shell line: its words as the program gets them, and the files it writes to. */
export interface ShellCommand {
  words: string[]
  targets: string[]
  /** the text that it reads, where the line has it */
  input?: string
  /** it reads what the command before it prints */
  isPiped?: true
}

/**
 * The commands of a shell line, in order. What is only text to them (quoted words, here-documents, comments) is not taken for a command.
 * What the shell puts in from a substitution stays in the word as it is written, and the commands in it come first.
 */
export function commandsOf(line: string, depth = 0): ShellCommand[] {
  const commands: ShellCommand[] = []
  const heredocs: { mark: string; command: ShellCommand }[] = []
  let current: ShellCommand = { words: [], targets: [] }
  let word: string | undefined
  let next: 'word' | 'target' | 'heredoc' | 'text' | 'nothing' = 'word'

  function endWord() {
    if (word === undefined) return
    if (next === 'word') current.words.push(word)
    if (next === 'target') current.targets.push(word)
    if (next === 'heredoc') heredocs.push({ mark: word, command: current })
    if (next === 'text') current.input = word
    word = undefined
    next = 'word'
  }
  function endCommand() {
    endWord()
    if (current.words.length + current.targets.length > 0) commands.push(current)
    current = { words: [], targets: [] }
    next = 'word'
  }
  /** What stands in a word, and the commands in it, whose folder is their own. */
  function take(text: string, inner: readonly string[] = []) {
    word = (word ?? '') + text
    if (depth >= MAX_DEPTH) return
    for (const line of inner) commands.push(OPEN, ...commandsOf(line, depth + 1), CLOSE)
  }

  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (char === '\\') {
      at++
      if (line[at] !== '\n') take(line[at] ?? '')
    } else if (char === "'" || char === '"') {
      const { text, end, inner } = quoted(line, at)
      take(text, inner)
      at = end
    } else if (char === '\n') {
      endCommand()
      for (const { mark, command } of heredocs.splice(0)) {
        const end = endOfHeredoc(line, at, mark)
        command.input = line.slice(at + 1, Math.max(at + 1, end - mark.length))
        at = end
      }
    } else if (char === ' ' || char === '\t' || char === '\r') endWord()
    else if (char === '#' && word === undefined) {
      const end = line.indexOf('\n', at)
      at = (end < 0 ? line.length : end) - 1
    } else if (char === '$' && /['"]/.test(line[at + 1] ?? '')) {
      // the quotes after it say the rest
    } else if (char === '`' || (char === '$' && (line[at + 1] === '(' || line[at + 1] === '{'))) {
      const { text, end, inner } = substitution(line, at)
      take(text, inner)
      at = end
    } else if (char === '>' || char === '<') {
      // a number before it names a stream
      if (word !== undefined && /^\d+$/.test(word)) word = undefined
      endWord()
      const isDouble = char === '<' && line[at + 1] === '<'
      next =
        char === '>' ? 'target' : !isDouble ? 'nothing' : line[at + 2] === '<' ? 'text' : 'heredoc'
      while (/[<>|&-]/.test(line[at + 1] ?? '')) at++
    } else if (SEPARATORS.has(char)) {
      // &> writes to a file
      if (char === '&' && line[at + 1] === '>') endWord()
      else {
        endCommand()
        if (char === '(') commands.push(OPEN)
        if (char === ')') commands.push(CLOSE)
        if (char === '|' && line[at + 1] !== '|' && line[at - 1] !== '|') current.isPiped = true
      }
    } else take(char)
  }
  endCommand()
  return commands
}

const SEPARATORS = new Set([';', '|', '&', '(', ')'])
const OPEN: ShellCommand = { words: ['('], targets: [] }
const CLOSE: ShellCommand = { words: [')'], targets: [] }
// a substitution in a substitution, as people write them
const MAX_DEPTH = 4

interface Quoted {
  text: string
  end: number
  /** the commands whose output the shell puts there */
  inner: string[]
}

function quoted(line: string, start: number, depth = 0): Quoted {
  const quote = line[start]
  const inner: string[] = []
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === quote) return { text, end: at, inner }
    if (quote === '"' && line[at] === '\\' && /["\\$`\n]/.test(line[at + 1] ?? '')) at++
    else if (quote === '"' && line[at] === '$' && line[at + 1] === '(' && depth < MAX_DEPTH) {
      const found = substitution(line, at, depth + 1)
      inner.push(...found.inner)
      text += found.text
      at = found.end
      continue
    }
    text += line[at] ?? ''
  }
  return { text, end: line.length, inner }
}

/** A substitution as it is written, and the commands in it. */
function substitution(line: string, start: number, depth = 0): Quoted {
  const open = line[start] === '`' ? '`' : (line[start + 1] as string)
  const close = open === '(' ? ')' : open === '{' ? '}' : '`'
  const from = open === '`' ? start + 1 : start + 2
  let level = 1
  let end = from
  for (; end < line.length; end++) {
    const char = line[end] as string
    if (char === '\\') end++
    else if (open === '(' && (char === "'" || char === '"')) end = quoted(line, end, depth).end
    else if (char === close) level--
    else if (char === open) level++
    if (level === 0) break
  }
  return {
    text: line.slice(start, end + 1),
    end,
    inner: open === '{' ? [] : [line.slice(from, end)],
  }
}

/** The end of the line that ends a here-document. */
function endOfHeredoc(line: string, start: number, mark: string): number {
  let from = start + 1
  while (from < line.length) {
    const found = line.indexOf('\n', from)
    const end = found < 0 ? line.length : found
    if (line.slice(from, end).trim() === mark) return end
    from = end + 1
  }
  return line.length
}
