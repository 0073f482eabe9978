/** What this process holds for requests in flight, which has a limit for all of them together. */
export interface Admission {
  open(): Hold
  /** bytes that are held now */
  readonly bytes: number
}

/** What is held for one request. */
export interface Hold {
  /** Counts bytes that are held from now on; false if they would be too many, and then nothing is counted. */
  take(bytes: number): boolean
  /** Gives bytes back; all of them, if no number is given. */
  give(bytes?: number): void
}

export function createAdmission(maxBytes: number): Admission {
  let total = 0

  return {
    open() {
      let own = 0
      return {
        take(bytes) {
          if (total + bytes > maxBytes) return false
          own += bytes
          total += bytes
          return true
        },
        give(bytes = own) {
          const given = Math.min(bytes, own)
          own -= given
          total -= given
        },
      }
    },
    get bytes() {
      return total
    },
  }
}

// an empty object of V8 and its place in a list, and what is made of it: an event, its name, its place in a set
const VALUE_BYTES = 100

/** What a body takes when it is read: its bytes once more as text, and its values. */
export const sizeOfRead = (bytes: number, values: number): number =>
  2 * bytes + VALUE_BYTES * values
