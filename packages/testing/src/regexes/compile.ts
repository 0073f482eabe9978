import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A step of a backtracking matcher: what V8 does with an expression, without its shortcuts. */
export type Instruction =
  | { type: 'unit'; isBack: boolean; matches: (unit: string) => boolean }
  | { type: 'edge'; kind: 'start' | 'end' | 'word'; isNegated: boolean; isMultiline: boolean }
  | { type: 'split'; first: number; second: number }
  | { type: 'jump'; to: number }
  | { type: 'look'; program: Program; isNegated: boolean }
  | { type: 'mark'; slot: number }
  | { type: 'moved'; slot: number }
  | { type: 'open' | 'close'; group: number; isBack: boolean }
  | { type: 'same'; group: number; isBack: boolean }
  | { type: 'match' }

/** The instructions of one expression or lookaround. */
export type Program = Instruction[]

/** The syntax tree of an expression. */
export const treeOf = ({ source, flags }: RegExp): AST.Pattern => {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  return new RegExpParser().parsePattern(source, 0, source.length, mode)
}

/** The program of an expression. */
export function compile(regex: RegExp): Program {
  let slots = 0
  const groups: AST.CapturingGroup[] = []

  function toProgram(alternatives: AST.Alternative[], isBack: boolean): Program {
    const program: Program = []
    choice(program, alternatives, isBack)
    program.push({ type: 'match' })
    return program
  }

  function choice(program: Program, alternatives: AST.Alternative[], isBack: boolean): void {
    const ends: Extract<Instruction, { type: 'jump' }>[] = []
    for (const [index, { elements }] of alternatives.entries()) {
      const isLast = index === alternatives.length - 1
      const split = { type: 'split' as const, first: program.length + 1, second: 0 }
      if (!isLast) program.push(split)
      for (const element of isBack ? elements.toReversed() : elements) {
        add(program, element, isBack)
      }
      if (isLast) continue
      const end = { type: 'jump' as const, to: 0 }
      ends.push(end)
      program.push(end)
      split.second = program.length
    }
    for (const end of ends) end.to = program.length
  }

  function add(program: Program, element: AST.Element, isBack: boolean): void {
    switch (element.type) {
      case 'Group':
        return choice(program, element.alternatives, isBack)
      case 'CapturingGroup': {
        const group = groups.push(element) - 1
        program.push({ type: 'open', group, isBack })
        choice(program, element.alternatives, isBack)
        program.push({ type: 'close', group, isBack })
        return
      }
      case 'Assertion':
        program.push(assertion(element))
        return
      case 'Quantifier':
        return quantifier(program, element, isBack)
      case 'Backreference': {
        const [to] = [element.resolved].flat()
        program.push({ type: 'same', group: groups.indexOf(to as AST.CapturingGroup), isBack })
        return
      }
      default:
        program.push({ type: 'unit', isBack, matches: unitTest(element.raw, regex.flags) })
    }
  }

  function assertion(element: AST.Assertion): Instruction {
    const { kind } = element
    if (kind === 'lookahead' || kind === 'lookbehind') {
      const program = toProgram(element.alternatives, kind === 'lookbehind')
      return { type: 'look', program, isNegated: element.negate }
    }
    const isNegated = kind === 'word' && element.negate
    return { type: 'edge', kind, isNegated, isMultiline: regex.multiline }
  }

  function quantifier(
    program: Program,
    { min, max, greedy, element }: AST.Quantifier,
    isBack: boolean,
  ) {
    for (let time = 0; time < min; time++) add(program, element, isBack)
    const splits: { enter: Extract<Instruction, { type: 'split' }>; body: number }[] = []
    const optional = (loop?: number) => {
      const enter = { type: 'split' as const, first: 0, second: 0 }
      program.push(enter)
      splits.push({ enter, body: program.length })
      const slot = canBeEmpty(element) ? slots++ : undefined
      if (slot !== undefined) program.push({ type: 'mark', slot })
      add(program, element, isBack)
      if (slot !== undefined) program.push({ type: 'moved', slot })
      if (loop !== undefined) program.push({ type: 'jump', to: loop })
    }
    if (max === Number.POSITIVE_INFINITY) optional(program.length)
    else for (let time = min; time < max; time++) optional()
    for (const { enter, body } of splits) {
      enter.first = greedy ? body : program.length
      enter.second = greedy ? program.length : body
    }
  }

  return toProgram(treeOf(regex).alternatives, false)
}

/** A repeat that matched nothing is given up, or it would go on for ever. */
function canBeEmpty(element: AST.Element): boolean {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.every(canBeEmpty))
    case 'Quantifier':
      return element.min === 0 || canBeEmpty(element.element)
    case 'Assertion':
    case 'Backreference':
      return true
    default:
      return false
  }
}

/** Whether one character matches a character, an escape or a class: V8 says so, and its answer is kept. */
function unitTest(raw: string, flags: string): (unit: string) => boolean {
  const regex = new RegExp(`^(?:${raw})$`, flags.replace(/[gym]/g, ''))
  const known = new Map<string, boolean>()
  return (unit) => {
    const answer = known.get(unit) ?? regex.test(unit)
    known.set(unit, answer)
    return answer
  }
}
