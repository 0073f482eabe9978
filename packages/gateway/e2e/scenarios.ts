import { type Provider, type Reply, startProvider } from '@unloop/testing'

/** What a model does at its n-th answer in a conversation; `isTold` if the gateway has advised it. */
type Scenario = (step: number, isTold: boolean) => Reply

const read = (path: string): Reply => ({ calls: [{ name: 'read', args: { path } }] })

/** Models by their name. */
const SCENARIOS: Record<string, Scenario> = {
  stuck: () => read('a.ts'),
  honest: (step) => read(`file-${step}.ts`),
  alternating: (step) => read(step % 2 === 0 ? 'a.ts' : 'b.ts'),
  parallel: () => ({
    calls: [
      { name: 'read', args: { path: 'a' } },
      { name: 'run', args: { command: 'ls' } },
    ],
  }),
  repentant: (step, isTold) => read(isTold ? `other-${step}.ts` : 'a.ts'),
  slow: () => ({ text: 'The stream takes its time, word by word. '.repeat(20), pauseMs: 50 }),
  late: (step) => read(step < 5 ? `file-${step}.ts` : 'a.ts'),
  talking: (step) =>
    step % 4 === 3 ? { text: `So far I have done ${step} things. What next?` } : read('a.ts'),
}

/** A provider whose models play the scenarios; what it says depends on nothing but the conversation. */
export function startScenarios(
  delay: (step: number) => Promise<unknown> | undefined = () => undefined,
): Promise<Provider> {
  /** the step of each answer, for requests that name one instead of telling what was before */
  const steps = new Map<string, { step: number; isTold: boolean }>()
  return startProvider(async ({ body }, turn) => {
    const text = JSON.stringify(body)
    const before = steps.get(String(body.previous_response_id))
    const step = before
      ? before.step + 1
      : (text.match(/"role":"assistant"|"type":"function_call"/g)?.length ?? 0)
    const isTold = before?.isTold || /already made|Use the answer|change the arguments/i.test(text)
    steps.set(`resp_${turn}`, { step, isTold })
    await delay(step)
    const scenario = SCENARIOS[String(body.model)]
    if (!scenario) return { status: 400, message: `no scenario ${body.model}` }
    const reply = scenario(step, isTold)
    return { ...reply, usage: { inputTokens: 100 + step, outputTokens: 10 } }
  })
}
