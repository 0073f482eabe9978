import { readSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { readWal, type Wal } from './wal.js'

/** The pages of a database, as of its last commit. */
export interface Pages {
  /** no page has a higher number */
  count: number
  /** bytes of a page that hold content */
  usable: number
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** A page by its number, from 1; throws if there is none. */
  get(number: number): Buffer
  /** Whether pages that may have been read were written to in the meantime. */
  isChanged(): Promise<boolean>
  close(): Promise<void>
}

const HEADER = 100
// rows that are told one after the other often stand near each other
const CACHED_BYTES = 16 * 2 ** 20

/** Opens a database and the log beside it. Both are only read, without a lock, and nothing is written anywhere. */
export async function openPages(path: string): Promise<Pages> {
  const files: FileHandle[] = []
  const close = async () => {
    for (const file of files) await file.close()
  }
  try {
    const main = await open(path, 'r')
    files.push(main)
    const log = await openLog(`${path}-wal`)
    if (log) files.push(log)
    return { ...(await pagesOf(main, log)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What stands beside a database may be anything; only a file can be its log. */
async function openLog(path: string): Promise<FileHandle | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? open(path, 'r') : undefined
}

async function pagesOf(main: FileHandle, log: FileHandle | undefined) {
  const before = await stampOf(main, log)
  const header = Buffer.alloc(HEADER)
  readSync(main.fd, header, 0, HEADER, 0)
  const size = sizeIn(header)
  const wal: Wal = log
    ? readWal(log.fd, (await log.stat()).size, size)
    : { places: new Map(), count: 0 }
  const inFile = Math.floor((await main.stat()).size / size)
  // the log cannot hold more pages than it has frames, whatever it says
  const count = Math.max(inFile, Math.min(wal.count, inFile + wal.places.size))
  const cached = new Map<number, Buffer>()

  function get(number: number): Buffer {
    const known = cached.get(number)
    if (known) return known
    const place = wal.places.get(number)
    if (number < 1 || number > (place === undefined ? inFile : count)) {
      throw new Error(`no such page: ${number}`)
    }
    const page = Buffer.alloc(size)
    if (place !== undefined && log) readSync(log.fd, page, 0, size, place)
    else readSync(main.fd, page, 0, size, (number - 1) * size)
    const [oldest = 0] = cached.keys()
    if (cached.size * size >= CACHED_BYTES) cached.delete(oldest)
    cached.set(number, page)
    return page
  }

  return {
    count,
    usable: size - (header[20] as number),
    encoding: ENCODINGS[get(1).readUInt32BE(56)] ?? 'utf-8',
    get,
    isChanged: async () => (await stampOf(main, log)) !== before,
  }
}

const ENCODINGS: Record<number, Pages['encoding']> = { 2: 'utf-16le', 3: 'utf-16be' }

function sizeIn(header: Buffer): number {
  const written = header.readUInt16BE(16)
  const size = written === 1 ? 65_536 : written
  const isPower = (size & (size - 1)) === 0
  if (size < 512 || !isPower || size - (header[20] as number) < 480) {
    throw new Error('its header is damaged')
  }
  return size
}

/** Another one when pages were written over; what is only added to the log changes nothing. */
async function stampOf(main: FileHandle, log: FileHandle | undefined): Promise<string> {
  const { size, mtimeMs } = await main.stat()
  const salts = Buffer.alloc(24)
  if (log) readSync(log.fd, salts, 0, 24, 0)
  return `${size} ${mtimeMs} ${salts.toString('hex')}`
}
