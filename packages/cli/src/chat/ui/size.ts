/** The size of the terminal. */
export interface Size {
  columns: number
  rows: number
}

// a window that is dragged changes its size with every frame
const SETTLED_MS = 100

export const sizeOf = ({ columns, rows }: NodeJS.WriteStream): Size => ({
  columns: columns || 80,
  rows: rows || 24,
})

/** Calls back when the size changes, and once it stays as it is; gives the way to end that. */
export function onResize(
  stdout: NodeJS.WriteStream,
  { onChange, onSettled }: { onChange(): void; onSettled(): void },
): () => void {
  let timer: NodeJS.Timeout | undefined
  function changed() {
    onChange()
    clearTimeout(timer)
    timer = setTimeout(onSettled, SETTLED_MS)
  }
  stdout.on('resize', changed)
  return () => {
    clearTimeout(timer)
    stdout.off('resize', changed)
  }
}

/** Whether the terminal breaks its lines anew when it gets narrower; old ones cut them off. */
export const isReflowing = (env: NodeJS.ProcessEnv): boolean =>
  env.TMUX !== undefined ||
  !(env.XTERM_VERSION ?? env.STY ?? /^(linux|rxvt|vt\d)/.exec(env.TERM ?? '')?.[0])
