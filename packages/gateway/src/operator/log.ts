/** Writes what happens as lines of JSON, without any content of requests. */
export interface Log {
  info(event: string, fields?: Fields): void
  error(event: string, fields?: Fields): void
}

type Fields = Record<string, string | number | boolean | undefined>

// a fault that comes with every request must not fill a disk
const MAX_ERRORS_A_MINUTE = 60

export function createLog(write: (line: string) => void, isQuiet: boolean): Log {
  let minute = 0
  let errors = 0

  function line(level: string, event: string, fields: Fields = {}): void {
    // JSON escapes line ends and control characters, so a value cannot become a line of its own
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`)
  }

  return {
    info(event, fields) {
      if (!isQuiet) line('info', event, fields)
    },
    error(event, fields) {
      const now = Math.floor(Date.now() / 60_000)
      errors = now === minute ? errors + 1 : 1
      minute = now
      if (errors <= MAX_ERRORS_A_MINUTE) line('error', event, fields)
    },
  }
}

/** What an error says, in a line; the text of an upstream or a client is not in it. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  return String(code ?? message ?? error).slice(0, 200)
}
