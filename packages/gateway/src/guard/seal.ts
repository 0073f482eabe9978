import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// What leaves the process is for the conversation it belongs to: each request of it brings the key, and the store never sees it.

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
// as the cipher wants them
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bytes as text that only the same sender's requests can open; `key` is the hash of the key that they bring. */
export function seal(bytes: Buffer, key: string, id: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secretOf(key, id), nonce)
  const sealed = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64')
}

/** What was sealed. Throws if it is anything else. */
export function unseal(text: string, key: string, id: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const start = NONCE_BYTES + TAG_BYTES
  const options = { authTagLength: TAG_BYTES }
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secretOf(key, id), nonce, options)
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start))
  return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()])
}

const secretOf = (key: string, id: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, id, 'unloop lane', KEY_BYTES))
