/** The size that is drawn for, and how often everything had to be redrawn. */
export interface Size {
  columns: number
  rows: number
  drawing: number
}

/** A terminal whose size may change. */
export interface Screen {
  /** where Ink draws */
  stdout: NodeJS.WriteStream
  get(): Size
  subscribe(listener: () => void): () => void
  close(): void
}

// a window that is dragged changes its size with every frame
const SETTLED_MS = 100
// the screen, what has scrolled off it, and the cursor to the top
const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/**
 * The terminal as a screen. When the width changes, the terminal wraps the lines that were drawn again, and it is unknown
 * where they are then; when it gets lower, the upper ones are out of reach. So all is cleared, and drawn again.
 */
export function createScreen(stdout: NodeJS.WriteStream): Screen {
  const listeners = new Set<() => void>()
  let size: Size = { ...sizeOf(stdout), drawing: 0 }
  let isTorn = false
  let timer: NodeJS.Timeout | undefined

  function onResize() {
    const { columns, rows } = sizeOf(stdout)
    isTorn ||= columns !== size.columns || rows < size.rows
    clearTimeout(timer)
    timer = setTimeout(onSettled, SETTLED_MS)
  }

  function onSettled() {
    if (isTorn) stdout.write(CLEAR)
    size = { ...sizeOf(stdout), drawing: size.drawing + (isTorn ? 1 : 0) }
    isTorn = false
    for (const listener of listeners) listener()
  }

  stdout.on('resize', onResize)
  return {
    stdout: withoutResize(stdout),
    get: () => size,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearTimeout(timer)
      stdout.off('resize', onResize)
    },
  }
}

const sizeOf = ({ columns, rows }: NodeJS.WriteStream) => ({
  columns: columns || 80,
  rows: rows || 24,
})

/**
 * The stream without its height and its changes of size: Ink would go up by as many lines as it has drawn, whatever has
 * become of them, and write the whole transcript again where it finds no room.
 */
function withoutResize(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'rows') return
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'on') return value.bind(target)
      return (event: string, listener: () => void) =>
        event === 'resize' ? target : target.on(event, listener)
    },
  })
}
