/** The path that a `file:` address means; anything else as it is. */
export function fileOf(uri: string | undefined): string | undefined {
  if (!uri?.startsWith('file://')) return uri
  try {
    const path = decodeURIComponent(new URL(uri).pathname)
    // file:///c:/shop
    return /^\/[a-z]:/i.test(path.slice(0, 3)) ? path.slice(1) : path
  } catch {
    return uri
  }
}
