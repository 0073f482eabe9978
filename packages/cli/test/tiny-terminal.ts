// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
/** A terminal that knows what the chat writes, and fails at anything else. */
export interface TinyTerminal {
  write(text: string): void
  /** What has scrolled off, and what is on the screen, without empty rows at the end. */
  all(): string[]
  cursor(): { row: number; column: number }
}

/** A terminal of this size, empty, with the cursor at its top. */
export function openTinyTerminal(columns: number, rows: number): TinyTerminal {
  const gone: string[] = []
  let screen = Array.from({ length: rows }, () => '')
  let row = 0
  let column = 0

  function feed() {
    if (row < rows - 1) {
      row++
      return
    }
    gone.push(screen[0] ?? '')
    screen = [...screen.slice(1), '']
  }

  function put(character: string) {
    // rows that are too long are cut, since lines are not broken while we draw
    const at = Math.min(column, columns - 1)
    screen[row] = (screen[row] ?? '').padEnd(at).slice(0, at) + character
    column = at + 1
  }

  const COMMANDS: Record<string, (count: number) => void> = {
    A: (count) => {
      row = Math.max(0, row - count)
    },
    B: (count) => {
      row = Math.min(rows - 1, row + count)
    },
    C: (count) => {
      column = Math.min(columns - 1, column + count)
    },
    H: () => {
      row = column = 0
    },
    J: () => {
      screen = screen.map((line, at) => (at < row ? line : at === row ? line.slice(0, column) : ''))
    },
    K: () => {
      screen[row] = ''
    },
  }

  return {
    write(text) {
      for (const [part, count, name] of text.matchAll(/\x1b\[\??(\d*)([A-Za-z])|[\s\S]/g)) {
        if (name !== undefined && /[hl]/.test(name)) continue
        if (name !== undefined) {
          const command = COMMANDS[name]
          if (!command) throw new Error(`unknown: ${JSON.stringify(part)}`)
          command(Number(count || 1))
        } else if (part === '\r') column = 0
        else if (part === '\n') feed()
        else put(part)
      }
    },
    all: () => {
      const lines = [...gone, ...screen].map((line) => line.trimEnd())
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
    cursor: () => ({ row: gone.length + row, column }),
  }
}
