/** Numbers of 8 or 16 bits as text, so that typed arrays can travel in JSON. */
export function toText(values: Uint8Array | Uint16Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The bytes that `toText` wrote. */
export function toBytes(text: string): Uint8Array {
  const binary = atob(text)
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The same as numbers of 16 bits. */
export const toWords = (text: string): Uint16Array => new Uint16Array(toBytes(text).buffer)
