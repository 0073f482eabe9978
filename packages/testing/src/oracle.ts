/** What the oracle is asked about. */
interface Heard {
  type: string
  name?: string
}

/** How sure the oracle is that this is a loop; `undefined` if it is not. */
type Judge = (heard: Heard, count: number) => 'likely' | 'certain' | undefined

/** The oracle's advice to the model. */
export const ORACLE_ADVICE = 'The oracle advises to think again.'

/**
 * A detector that says what a test wants: for each event of this type, given their number so far, whether there is a loop.
 * All its reports are about the same loop.
 *
 * @example createGuard({ detectors: [createOracle('tool-call', (_, count) => (count > 2 ? 'likely' : undefined))] })
 */
export function createOracle<Type extends string>(
  type: Type,
  judge: Judge,
  { plane = 'calls' }: { plane?: 'calls' | 'text' } = {},
) {
  const start = () => ({ count: 0 })
  return {
    name: 'oracle',
    finds: 'what a test wants',
    advice: ORACLE_ADVICE,
    stage: 'trial' as const,
    plane,
    on: [type],
    options: {},
    start,
    observe(state: unknown, heard: Heard, { number }: { number: number }) {
      const seen = state as ReturnType<typeof start>
      const certainty = judge(heard, ++seen.count)
      if (!certainty) return
      const named = { kind: 'told', certainty, identity: 'oracle', sample: 'what it is told' }
      const detail = `the oracle was asked ${seen.count} times`
      return { ...named, detail, count: seen.count, period: 1, firstEvent: number }
    },
    // some pressure, until it starts over
    pressure(state: unknown) {
      const { count } = state as ReturnType<typeof start>
      return { pressure: count > 0 ? 0.6 : 0, count, limit: count + 1 }
    },
  }
}
