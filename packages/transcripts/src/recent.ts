import { brief } from './brief.js'

/** A map that forgets what was set long ago, so that no file makes it grow. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** Remembers at least the last `size` entries, and never more than twice as many. */
export function createRecent<Value>(size: number): Recent<Value> {
  // two generations: to drop the older one is cheaper than to drop entries one by one
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get(key) {
      const name = brief(key)
      return young.get(name) ?? old.get(name)
    },
    set(key, value) {
      if (young.size >= size) {
        old = young
        young = new Map()
      }
      young.set(brief(key), value)
    },
  }
}
