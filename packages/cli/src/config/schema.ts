import { detectors } from 'unloop'
import { presetDetectors, presets } from 'unloop/presets'
import { z } from 'zod'

const name = (text: string) => z.string().min(1).describe(text)

const settingOf = (fallback: unknown) => {
  if (typeof fallback === 'number') {
    return Number.isInteger(fallback) ? z.int().min(1) : z.number().min(0).max(1)
  }
  if (typeof fallback === 'boolean') return z.boolean()
  if (typeof fallback === 'string') return z.string()
  return z.array(z.string())
}

const detectorSettings = Object.fromEntries(
  [...detectors, ...presetDetectors].map(({ name, finds, options }) => [
    name,
    z
      .union([
        z.boolean(),
        z.strictObject(
          Object.fromEntries(
            Object.entries(options).map(([key, value]) => [
              key,
              settingOf(value)
                .describe(`${JSON.stringify(value)} by default`)
                .optional(),
            ]),
          ),
        ),
      ])
      .describe(`${finds}; true, false or its settings`)
      .optional(),
  ]),
)

const actions = z.array(z.enum(['warn', 'block', 'cut', 'ask', 'stop'])).min(1)

const tool = z.strictObject({
  effect: z.enum(['reads', 'changes', 'waits', 'moves', 'unknown']).optional(),
  annotations: z.strictObject({ readOnlyHint: z.boolean().optional() }).optional(),
  ignore: z.array(z.string()).describe('arguments to ignore when comparing calls').optional(),
  allow: z
    .union([z.int().min(1), z.literal('always')])
    .describe('how often it may repeat before it is reported')
    .optional(),
})

const amount = (text: string) => z.number().positive().describe(text)
const price = z.number().min(0)

/** What a configuration file may say. */
export const configSchema = z
  .strictObject({
    $schema: z.string().describe('address of the schema, for editors').optional(),
    preset: z
      .enum(Object.keys(presets) as [string, ...string[]])
      .describe('use the rules of another tool')
      .optional(),
    detectors: z
      .strictObject(detectorSettings)
      .describe('changes to the default detectors')
      .optional(),
    tools: z.record(z.string(), tool).describe('facts about tools, by name').optional(),
    ladder: z
      .union([actions, z.strictObject({ calls: actions.optional(), text: actions.optional() })])
      .describe('what a loop leads to, step by step; the last is ask or stop')
      .optional(),
    budget: z
      .strictObject({
        steps: amount('requests to the model').optional(),
        tokens: amount('tokens, read and written').optional(),
        dollars: amount('dollars, by prices').optional(),
        minutes: amount('minutes between the first event and the last').optional(),
        prices: z
          .strictObject({ input: price, cached: price.optional(), output: price })
          .describe('dollars per million tokens')
          .optional(),
      })
      .describe('how much one prompt may use')
      .optional(),
    mode: z
      .enum(['enforce', 'observe', 'off'])
      .describe('whether a chat acts on loops, only records them, or does not look for them')
      .optional(),
    model: name('the model of a chat, as provider/name').optional(),
    baseUrl: z.url().describe("address of the model's provider").optional(),
    maxTurns: z.int().min(1).describe('maximum number of turns per prompt of a chat').optional(),
    judge: z
      .strictObject({
        model: name('a cheap model that is asked from time to time'),
        confirm: name('a stronger model that has to agree').optional(),
      })
      .describe('models that are asked whether the agent is stuck')
      .optional(),
  })
  .describe('Configuration of the unloop command')

/** The schema that editors read. */
export function toJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' })
  return { $schema, title: 'unloop.config', ...rest }
}
