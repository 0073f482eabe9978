import { type AnsweredCall, createPairing, type Rule } from './rule.js'

/**
 * OpenHands' software-agent-sdk (November 2026): over the last twenty steps since the person spoke, the same action
 * with the same answer four times, the same action failing four times, three agent messages without an
 * action, or two actions alternating three times. Its idea of "the same action" includes the thought. It ends the run.
 */
export const openHandsRule: Rule = {
  name: 'OpenHands rule',
  start() {
    const pairing = createPairing()
    let steps: AnsweredCall[] = []
    let silentMessages = 0
    let spoke = false
    let acted = false
    return (event) => {
      if (event.type === 'prompt') [steps, silentMessages, spoke, acted] = [[], 0, false, false]
      if (event.type === 'turn-start' || event.type === 'turn-end') {
        if (acted) silentMessages = 0
        else if (spoke) silentMessages++
        spoke = false
        acted = false
        if (silentMessages >= 3) return stop('monologue')
      }
      if (event.type === 'text') spoke = true
      if (event.type === 'tool-call') acted = true
      const step = pairing.observe(event)
      if (!step) return undefined
      steps = [...steps, step].slice(-10)
      if (isSame(steps.slice(-4), 4, true)) return stop('same action and observation')
      if (steps.slice(-4).every(({ failed }) => failed) && isSame(steps.slice(-4), 4, false)) {
        return stop('same action failing')
      }
      return isAlternating(steps.slice(-6)) ? stop('alternating') : undefined
    }
  },
}

const stop = (what: string) => ({ what, stops: true })

function isSame(steps: readonly AnsweredCall[], count: number, withOutput: boolean): boolean {
  const [first] = steps
  return (
    steps.length === count &&
    steps.every(
      (step) => isSameAction(step, first) && (!withOutput || step.output === first?.output),
    )
  )
}

function isAlternating(steps: readonly AnsweredCall[]): boolean {
  if (steps.length < 6 || isSameAction(steps[0], steps[1])) return false
  return steps.slice(2).every((step, index) => {
    const before = steps[index]
    return isSameAction(step, before) && step.output === before?.output
  })
}

function isSameAction(one?: AnsweredCall, other?: AnsweredCall): boolean {
  return one?.name === other?.name && one?.args === other?.args && one?.thought === other?.thought
}
