/** One command of a shell line: its words as the program gets them, and the files it writes to. */
export interface ShellCommand {
  words: string[]
  targets: string[]
}

/** The commands of a shell line, in order. What is only text to them (quoted words, here-documents, comments) is not taken for a command. */
export function commandsOf(line: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  const heredocs: string[] = []
  let current: ShellCommand = { words: [], targets: [] }
  let word: string | undefined
  let next: 'word' | 'target' | 'heredoc' | 'nothing' = 'word'

  function endWord() {
    if (word === undefined) return
    if (next === 'word') current.words.push(word)
    if (next === 'target') current.targets.push(word)
    if (next === 'heredoc') heredocs.push(word)
    word = undefined
    next = 'word'
  }
  function endCommand() {
    endWord()
    if (current.words.length + current.targets.length > 0) commands.push(current)
    current = { words: [], targets: [] }
    next = 'word'
  }

  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (char === '\\') {
      at++
      if (line[at] !== '\n') word = (word ?? '') + (line[at] ?? '')
    } else if (char === "'" || char === '"') {
      const { text, end } = quoted(line, at)
      word = (word ?? '') + text
      at = end
    } else if (char === '\n') {
      endCommand()
      for (const mark of heredocs.splice(0)) at = endOfHeredoc(line, at, mark)
    } else if (char === ' ' || char === '\t' || char === '\r') endWord()
    else if (char === '#' && word === undefined) {
      const end = line.indexOf('\n', at)
      at = (end < 0 ? line.length : end) - 1
    } else if (char === '>' || char === '<') {
      // a number before it names a stream
      if (word !== undefined && /^\d+$/.test(word)) word = undefined
      endWord()
      const isHeredoc = char === '<' && line[at + 1] === '<' && line[at + 2] !== '<'
      next = isHeredoc ? 'heredoc' : char === '>' ? 'target' : 'nothing'
      while (/[<>|&-]/.test(line[at + 1] ?? '')) at++
    } else if (SEPARATORS.has(char)) {
      // &> writes to a file
      if (char === '&' && line[at + 1] === '>') endWord()
      else endCommand()
    } else if (char === '$' && line[at + 1] === '(') {
      endCommand()
      at++
    } else word = (word ?? '') + char
  }
  endCommand()
  return commands
}

const SEPARATORS = new Set([';', '|', '&', '(', ')', '`', '{', '}'])

function quoted(line: string, start: number): { text: string; end: number } {
  const quote = line[start]
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === quote) return { text, end: at }
    if (quote === '"' && line[at] === '\\' && /["\\$`\n]/.test(line[at + 1] ?? '')) at++
    text += line[at]
  }
  return { text, end: line.length }
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
