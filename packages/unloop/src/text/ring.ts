/** Text in a ring of UTF-16 units; its length is a power of two, one more than the mask. */
interface Ring {
  readonly units: Uint16Array
  readonly mask: number
}

/** The units from one place up to another, as a string. A 2 after the ring means that a line ended in the space at that place. */
export function ringText({ units, mask }: Ring, from: number, to: number): string {
  let text = ''
  for (let place = from; place < to; place++) {
    const unit = units[place & mask] as number
    text += unit === 32 && units[(place & mask) + mask + 1] === 2 ? '\n' : String.fromCharCode(unit)
  }
  return text
}

/** A name for the units that does not depend on where they begin: their number and the sum of their hashes. */
export function ringName({ units, mask }: Ring, from: number, to: number): string {
  let sum = 0
  for (let place = from; place < to; place++) {
    const unit = units[place & mask] as number
    sum = (sum + Math.imul(unit * unit + 1, 0x9e3779b1)) | 0
  }
  return `${to - from}.${(sum >>> 0).toString(36)}`
}
