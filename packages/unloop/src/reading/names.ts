/**
 * Whether a name is among the given ones, which are separated by commas; `*` stands for anything, and case does not matter.
 * The pieces between stars are searched one after the other, so no input makes it slow.
 */
export function isNamed(names: string, name: string): boolean {
  const lower = name.toLowerCase()
  return names
    .toLowerCase()
    .split(',')
    .some((each) => each.trim() !== '' && fits(each.trim().split('*'), lower))
}

/** Whether such names were written as a regular expression; `2.*` is a version, `a.*b` is not. */
export const isRegExpLike = (names: string): boolean => /[\\^$|()[\]{}+?]|(?:^|\D)\.\*/.test(names)

function fits([first = '', ...rest]: string[], name: string): boolean {
  const last = rest.pop()
  if (last === undefined) return name === first
  const end = name.length - last.length
  let at = first.length
  if (at > end || !name.startsWith(first) || !name.endsWith(last)) return false
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}
