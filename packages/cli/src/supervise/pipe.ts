import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Both ends of a pipe. */
export interface Pipe {
  source: Readable
  /** the other end, for the command */
  descriptor: number
}

/**
 * A pipe as shells make them. Those of Node are sockets: a program cannot open `/dev/stdout` there, and does not get SIGPIPE
 * when nobody reads any more. Undefined where there is no such thing.
 */
export function openPipe(platform: NodeJS.Platform): Pipe | undefined {
  if (platform === 'win32') return
  let folder: string | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), 'unloop-run-'))
    const path = join(folder, 'stdout')
    execFileSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' })
    // who opens it to read without waiting need not have a writer yet
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const descriptor = openSync(path, constants.O_WRONLY)
      return { source: new Socket({ fd: reading, readable: true, writable: false }), descriptor }
    } catch (error) {
      closeSync(reading)
      throw error
    }
  } catch {
    return
  } finally {
    // it has done its work: both ends are open
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
