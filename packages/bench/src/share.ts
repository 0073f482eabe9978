// `npm run bench:share`: how much of the CPU time of a streamed answer is the guard's. Real SDKs, a server on
// this machine in its own process.
import { resolveModel } from '@unloop/agent'
import { atMost, goalRows, isMissed } from './goal.js'
import { ANSWER, startProviderProcess } from './provider-process.js'
import { measureShare, type Share, sumOf } from './share/streamed.js'
import { textTable } from './table.js'

const ROUNDS = 12
const BUDGET = 1

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
const all = sumOf('all of them', shares)
console.log(
  `The guard's share of the CPU time of ${ANSWER}, streamed ${ROUNDS} times through each SDK\n`,
)
console.log(
  textTable([
    ['model', 'events', 'ms in all', 'ms of the guard', 'ns an event', 'share'],
    ...[...shares, all].map((share) => [
      share.name,
      `${share.events}`,
      share.totalMs.toFixed(0),
      share.guardMs.toFixed(1),
      ((share.guardMs / share.events) * 1e6).toFixed(0),
      `${(shareOf(share) * 100).toFixed(2)} %`,
    ]),
  ]),
)
const goals = [atMost('share of a streamed answer', shareOf(all) * 100, BUDGET, '%')]
console.log(`\n${textTable(goalRows(goals))}`)
process.exitCode = isMissed(goals) ? 1 : 0
