/** A deep copy as plain JSON: a typed array becomes text under the name of its type. */
export const toPlain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, inner) =>
      ArrayBuffer.isView(inner) ? { [inner.constructor.name]: toText(inner) } : inner,
    ),
  )

/** A deep copy with the typed arrays restored. */
export const fromPlain = (plain: unknown): unknown =>
  JSON.parse(JSON.stringify(plain), (_key, inner) => {
    const type = TYPES.find(({ name }) => typeof inner?.[name] === 'string')
    return type ? new type(toBytes(inner[type.name]).buffer) : inner
  })

const TYPES = [Uint8Array, Uint16Array, Int32Array]

function toText({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  let binary = ''
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) {
    binary += String.fromCharCode(byte)
  }
  return btoa(binary)
}

const toBytes = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
