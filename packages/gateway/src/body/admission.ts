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
  /** Lets go of it, which may take a moment; called once at most, when others need the room. */
  letGo: (() => void) | undefined
}

interface Held extends Hold {
  bytes: number
  isLeaving: boolean
}

// from here on those let go that can, so that there is room for those that cannot
const FULL = 3 / 4

export function createAdmission(maxBytes: number): Admission {
  const all = new Set<Held>()
  let total = 0
  /** of those that were asked to let go */
  let leaving = 0

  /** The largest has to go: whoever fills the room is asked before those who need a little of it. */
  function makeRoom(): void {
    while (total - leaving > maxBytes * FULL) {
      let largest: Held | undefined
      for (const one of all) if (one.letGo && one.bytes > (largest?.bytes ?? 0)) largest = one
      if (!largest) return
      const { letGo } = largest
      largest.letGo = undefined
      largest.isLeaving = true
      leaving += largest.bytes
      letGo?.()
    }
  }

  function open(): Hold {
    const hold: Held = {
      bytes: 0,
      isLeaving: false,
      letGo: undefined,
      take(bytes) {
        if (total + bytes > maxBytes) return false
        all.add(hold)
        add(bytes)
        makeRoom()
        return true
      },
      give(bytes = hold.bytes) {
        add(-Math.min(bytes, hold.bytes))
        if (hold.bytes === 0) all.delete(hold)
      },
    }

    function add(bytes: number): void {
      hold.bytes += bytes
      total += bytes
      if (hold.isLeaving) leaving += bytes
    }
    return hold
  }

  return {
    open,
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
