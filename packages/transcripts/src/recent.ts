/** A map that forgets what was set longest ago, so that no file makes it grow. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  keys(): Iterable<string>
}

export function createRecent<Value>(size: number): Recent<Value> {
  const map = new Map<string, Value>()
  return {
    get: (key) => map.get(key),
    set(key, value) {
      if (map.has(key)) map.delete(key)
      else if (map.size >= size) map.delete(map.keys().next().value as string)
      map.set(key, value)
    },
    delete: (key) => map.delete(key),
    keys: () => map.keys(),
  }
}
