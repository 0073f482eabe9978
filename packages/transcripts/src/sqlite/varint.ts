/** A number of one to nine bytes, and where it ends. */
export function varintAt(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = byteAt(bytes, at + i)
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, at + i + 1]
  }
  return [value * 256 + byteAt(bytes, at + 8), at + 9]
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new Error('it ends too early')
  return byte
}
