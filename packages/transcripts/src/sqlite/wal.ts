import { readSync } from 'node:fs'

/** What was committed to the file beside a database and may not stand in the database yet. */
export interface Wal {
  /** where in the file the newest version of a page stands */
  places: ReadonlyMap<number, number>
  /** pages that the database has after the last commit; 0 if nothing was committed */
  count: number
}

const HEADER = 32
const FRAME_HEADER = 24
const MAGIC = 0x377f0682
// the last bit says in which order the bytes of a sum are read
const BIG_ENDIAN = 1

/** Reads which pages a write-ahead log holds, up to its last commit that is whole. */
export function readWal(fd: number, bytes: number, pageSize: number): Wal {
  const places = new Map<number, number>()
  const header = Buffer.alloc(HEADER)
  readSync(fd, header, 0, HEADER, 0)
  const magic = header.readUInt32BE(0)
  if ((magic & ~BIG_ENDIAN) !== MAGIC || header.readUInt32BE(8) !== pageSize) {
    return { places, count: 0 }
  }
  const addUp = adder((magic & BIG_ENDIAN) === 1)
  addUp(header, 0, 24)
  const frame = Buffer.alloc(FRAME_HEADER + pageSize)
  let pending: [page: number, place: number][] = []
  let count = 0
  for (let at = HEADER; at + frame.length <= bytes; at += frame.length) {
    if (readSync(fd, frame, 0, frame.length, at) < frame.length) break
    // what an older log has left behind has other salts
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break
    addUp(frame, 0, 8)
    const [first, second] = addUp(frame, FRAME_HEADER, frame.length)
    if (frame.readUInt32BE(16) !== first || frame.readUInt32BE(20) !== second) break
    pending.push([frame.readUInt32BE(0), at + FRAME_HEADER])
    const committed = frame.readUInt32BE(4)
    if (committed === 0) continue
    for (const [page, place] of pending) places.set(page, place)
    pending = []
    count = committed
  }
  return { places, count }
}

/** Makes what adds bytes to the checksum of a log, and gives the sum so far. */
function adder(isBigEndian: boolean) {
  let first = 0
  let second = 0
  return (bytes: Buffer, from: number, to: number): [first: number, second: number] => {
    for (let i = from; i < to; i += 8) {
      first = (first + wordAt(bytes, i, isBigEndian) + second) >>> 0
      second = (second + wordAt(bytes, i + 4, isBigEndian) + first) >>> 0
    }
    return [first, second]
  }
}

const wordAt = (bytes: Buffer, at: number, isBigEndian: boolean) =>
  isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
