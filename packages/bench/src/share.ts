// `npm run bench:share`: how much of the CPU time of a streamed answer is the guard's. Real SDKs, a server on
// this machine in a process of its own.
import { resolveModel } from '@unloop/agent'
import { ANSWER, startProviderProcess } from './provider-process.js'
import { measureShare, type Share } from './share/streamed.js'
import { textTable } from './table.js'

const ROUNDS = 7
const BUDGET = 0.01

const { url, stop } = await startProviderProcess()
const env = {
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: `${url}/v1`,
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: url,
  GEMINI_API_KEY: 'none',
  GOOGLE_GEMINI_BASE_URL: url,
}
const shares: Share[] = []
try {
  for (const spec of [
    'openai/gpt-5',
    'anthropic/claude-opus-4',
    'google/gemini-3-pro',
    'compatible/qwen3',
  ]) {
    const model = await resolveModel(spec, {
      env,
      ...(spec.startsWith('compatible') && { baseUrl: `${url}/v1` }),
    })
    shares.push(await measureShare(model, ROUNDS))
  }
} finally {
  stop()
}

const shareOf = ({ guardMs, totalMs }: Share) => guardMs / totalMs
console.log(`The guard's share of the CPU time of ${ANSWER}, streamed,
medians of ${ROUNDS}; the budget is ${BUDGET * 100} %\n`)
console.log(
  textTable([
    ['model', 'events', 'ms in all', 'ms of the guard', 'share', ''],
    ...shares.map((share) => [
      share.name,
      `${share.events}`,
      share.totalMs.toFixed(1),
      share.guardMs.toFixed(2),
      `${(shareOf(share) * 100).toFixed(2)} %`,
      shareOf(share) < BUDGET ? 'ok' : 'MISSED',
    ]),
  ]),
)
process.exitCode = shares.every((share) => shareOf(share) < BUDGET) ? 0 : 1
