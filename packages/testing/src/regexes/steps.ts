import type { Program } from './compile.js'

/** What a matcher goes back to: an instruction, a place in the text, and what was noted so far. */
interface Choice {
  next: number
  at: number
  notes: Notes
}

/** Places of marks and groups; a new object for each change, so that going back is free. */
interface Notes {
  marks: Readonly<Record<number, number>>
  groups: Readonly<Record<number, readonly [from: number, to: number]>>
}

const NOTHING: Notes = { marks: {}, groups: {} }

/**
 * How many steps a backtracking matcher takes to look for all matches of an expression in a text: the same number on
 * every machine. It stops counting at `most`.
 */
export function countSteps(
  program: Program,
  text: string,
  { unicode: isUnicode, sticky: isSticky }: RegExp,
  most: number,
): number {
  let steps = 0

  /** The end of the match that starts here; undefined if there is none, or no step is left. */
  function run(program: Program, start: number, given: Notes): Choice | undefined {
    const choices: Choice[] = [{ next: 0, at: start, notes: given }]
    for (let choice = choices.pop(); choice; choice = choices.pop()) {
      let { next, at, notes } = choice
      attempt: while (steps < most) {
        steps++
        const one = program[next++]
        switch (one?.type) {
          case undefined:
          case 'match':
            return { next, at, notes }
          case 'unit': {
            const unit = one.isBack ? unitBefore(at) : unitAt(at)
            if (unit === '' || !one.matches(unit)) break attempt
            at += one.isBack ? -unit.length : unit.length
            break
          }
          case 'edge':
            if (isEdge(at, one.kind, one.isMultiline) === one.isNegated) break attempt
            break
          case 'split':
            choices.push({ next: one.second, at, notes })
            next = one.first
            break
          case 'jump':
            next = one.to
            break
          case 'look': {
            const end = run(one.program, at, notes)
            if ((end === undefined) !== one.isNegated) break attempt
            if (end) notes = end.notes
            break
          }
          case 'mark':
            notes = { ...notes, marks: { ...notes.marks, [one.slot]: at } }
            break
          case 'moved':
            if (notes.marks[one.slot] === at) break attempt
            break
          case 'open':
          case 'close': {
            const [from, to] = notes.groups[one.group] ?? [at, at]
            const place =
              (one.type === 'open') === one.isBack ? ([from, at] as const) : ([at, to] as const)
            notes = { ...notes, groups: { ...notes.groups, [one.group]: place } }
            break
          }
          case 'same': {
            const [from, to] = notes.groups[one.group] ?? [at, at]
            const start = one.isBack ? at - (to - from) : at
            if (start < 0 || !text.startsWith(text.slice(from, to), start)) break attempt
            at = one.isBack ? start : start + (to - from)
          }
        }
      }
      if (steps >= most) return undefined
    }
    return undefined
  }

  const unitAt = (at: number): string =>
    isUnicode
      ? String.fromCodePoint(text.codePointAt(at) ?? 0).slice(0, text.length - at)
      : text.charAt(at)

  const unitBefore = (at: number): string => {
    const isPair = isUnicode && at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff
    return at === 0 ? '' : text.slice(at - (isPair ? 2 : 1), at)
  }

  const isWord = (at: number) => /^\w$/.test(text.charAt(at))

  function isEdge(at: number, kind: 'start' | 'end' | 'word', isMultiline: boolean): boolean {
    if (kind === 'word') return (at > 0 && isWord(at - 1)) !== isWord(at)
    const beside = kind === 'start' ? at - 1 : at
    return (
      beside < 0 ||
      beside >= text.length ||
      (isMultiline && /^[\n\r\u2028\u2029]$/.test(text.charAt(beside)))
    )
  }

  for (let at = 0; at <= text.length && steps < most; ) {
    const end = run(program, at, NOTHING)
    if (isSticky && !end) break
    at = end && end.at > at ? end.at : at + 1
  }
  return steps
}
