import { type AnsweredCall, createPairing, type Rule } from './rule.js'

// the description gives no size for its window; thirty steps is generous
const windowSize = 30

/**
 * stella (November 2026): only byte-identical answers count. The same call three times in a row, a cycle of two to
 * four calls three times, the same call three times anywhere unless some repeated call was answered anew, or six
 * different calls of one tool in a row with the same answer. It tells the model twice per request, then ends the run.
 */
export const stellaRule: Rule = {
  name: 'stella rule',
  start() {
    const pairing = createPairing()
    let steps: AnsweredCall[] = []
    let told = 0
    return (event) => {
      if (event.type === 'prompt') [steps, told] = [[], 0]
      const step = pairing.observe(event)
      if (!step) return undefined
      steps = [...steps, step].slice(-windowSize)
      const what = judge(steps, step)
      return what === undefined ? undefined : { what, stops: ++told > 2 }
    }
  },
}

function judge(steps: readonly AnsweredCall[], step: AnsweredCall): string | undefined {
  if (isCycle(steps, 1)) return 'exact repeat'
  for (const period of [2, 3, 4]) if (isCycle(steps, period)) return `cycle of ${period}`
  if (isInterleaved(steps, step)) return 'interleaved repeat'
  return isStagnant(steps.slice(-6)) ? 'stagnation' : undefined
}

function isCycle(steps: readonly AnsweredCall[], period: number): boolean {
  const tail = steps.slice(-3 * period)
  return (
    tail.length === 3 * period &&
    tail.slice(period).every((step, index) => isSame(step, tail[index], true))
  )
}

function isInterleaved(steps: readonly AnsweredCall[], last: AnsweredCall): boolean {
  if (steps.filter((step) => isSame(step, last, true)).length < 3) return false
  const isProgressing = steps.some((one, index) =>
    steps
      .slice(index + 1)
      .some((other) => isSame(one, other, false) && one.output !== other.output),
  )
  return !isProgressing
}

function isStagnant(steps: readonly AnsweredCall[]): boolean {
  const [first] = steps
  const different = new Set(steps.map(({ args }) => args)).size
  return (
    steps.length === 6 &&
    different > 1 &&
    steps.every(({ name, output }) => name === first?.name && output === first?.output)
  )
}

function isSame(one: AnsweredCall, other: AnsweredCall | undefined, withOutput: boolean): boolean {
  return (
    one.name === other?.name &&
    one.args === other.args &&
    (!withOutput || one.output === other.output)
  )
}
