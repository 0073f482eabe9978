import type { Agent, UsageSum } from '@unloop/agent'
import type { Finding } from 'unloop'
import { describeCost, plural, showCost, showTokens } from 'unloop/words'

/** What a conversation has cost, and what loops have wasted of it. */
export function describeSpending({
  usage,
  guard,
  model,
}: Pick<Agent, 'usage' | 'guard' | 'model'>) {
  return [
    `this request  ${describeUsage(usage.prompt)}`,
    `this session  ${describeUsage(usage.session)}`,
    ...(usage.session.dollars === undefined
      ? [`dollars       unknown: a model without a list price was used (now: ${model.name})`]
      : []),
    `loops         ${describeLoops(guard.findings)}`,
  ].join('\n')
}

function describeUsage({
  inputTokens,
  cachedTokens,
  outputTokens,
  judgeTokens,
  dollars,
}: UsageSum) {
  return [
    `${showTokens(inputTokens)} tokens in${cachedTokens > 0 ? ` (${showTokens(cachedTokens)} cached)` : ''}`,
    `${showTokens(outputTokens)} out`,
    ...(judgeTokens > 0 ? [`${showTokens(judgeTokens)} of them for the judge`] : []),
    ...(dollars === undefined ? [] : [showCost(dollars)]),
  ].join(', ')
}

/** One loop is reported several times; its last report has all it cost. */
function describeLoops(findings: readonly Finding[]): string {
  const loops = [...new Map(findings.map((finding) => [finding.identity, finding])).values()]
  if (loops.length === 0) return 'none'
  const wasted = loops.reduce(
    (sum, { wasted: { events, characters, tokens = 0 } }) => ({
      events: sum.events + events,
      characters: sum.characters + characters,
      tokens: sum.tokens + tokens,
    }),
    { events: 0, characters: 0, tokens: 0 },
  )
  return `${plural(loops.length, 'loop')}, which cost ${describeCost(wasted)}`
}
