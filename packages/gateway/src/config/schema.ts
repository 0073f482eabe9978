import { createGuard, type GuardOptions } from 'unloop'
import { presets } from 'unloop/presets'
import { z } from 'zod'

const outcome = z.enum(['respond', 'error', 'nudge', 'observe'])

const onLoop = z
  .union(
    [
      z.enum(['respond', 'error', 'nudge', 'observe', 'off']),
      z.strictObject({
        warn: outcome.optional(),
        block: outcome.optional(),
        cut: outcome.optional(),
        stop: outcome.optional(),
      }),
    ],
    {
      error:
        'must be respond, error, nudge, observe or off, or one of the first four for each of warn, block, cut and stop',
    },
  )
  .describe('what a loop leads to: one word, or one for each step of the ladder')

const amount = (text: string) => z.number().positive().describe(text)
const whole = (text: string) => z.int().min(1).describe(text)

const budget = z
  .strictObject({
    requests: amount('requests to the provider').optional(),
    tokens: amount('tokens, read and written').optional(),
    dollars: amount('dollars at list prices').optional(),
  })
  .describe('how much one session may use')

const address = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be an address that begins with ${protocols.join(':// or ')}://`,
  })

// words of paths that are not names
const RESERVED = /^(unloop|healthz|readyz|metrics|beta|guardrails|upload|v\d\w*)$/

const upstreams = z
  .record(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens')
      .refine((name) => !RESERVED.test(name), 'is a path of the gateway or of a provider'),
    z.strictObject({
      url: address('http', 'https').describe('where requests go; paths are added to it'),
      protocol: z
        .enum(['anthropic', 'openai', 'gemini'])
        .describe('requests without a prefix go to the first upstream of their protocol')
        .optional(),
    }),
  )
  .refine((all) => Object.keys(all).length > 0, 'must have at least one upstream')
  .describe('where requests may go, by name')

const rule = z.strictObject({
  match: z
    .strictObject({
      upstream: z.string().optional(),
      path: z.string().describe('as the provider has it; * stands for anything').optional(),
      model: z.string().describe('* stands for anything').optional(),
      key: z
        .string()
        .regex(
          /^sha256:[0-9a-f]{8,64}$/,
          "must be 'sha256:' and the first digits of the key's hash",
        )
        .optional(),
    })
    .describe('which requests; all that is given must match'),
  onLoop: onLoop.optional(),
  budget: budget.optional(),
})

/** What a configuration file may say. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    listen: z
      .strictObject({
        host: z.string().optional(),
        port: z.int().min(0).max(65_535).optional(),
        hosts: z
          .array(z.string().min(1))
          .describe('other names that requests may have as their Host; * stands for anything')
          .optional(),
      })
      .describe('where agents connect; 127.0.0.1 and 8787 by default')
      .optional(),
    admin: z
      .strictObject({
        host: z.string().optional(),
        port: z.int().min(0).max(65_535).optional(),
        token: z.string().min(16).optional(),
      })
      .describe('the live page and /metrics; on a port of their own if one is given')
      .optional(),
    upstreams: upstreams.optional(),
    store: z
      .union(
        [
          z.literal('memory'),
          address('redis', 'rediss'),
          z.strictObject({ url: address('redis', 'rediss'), cluster: z.boolean().optional() }),
        ],
        { error: 'must be memory, an address such as redis://127.0.0.1:6379, or { url, cluster }' },
      )
      .describe('where sessions are kept: memory, or the address of a Redis')
      .optional(),
    onLoop: onLoop.optional(),
    budget: budget.optional(),
    guard: z
      .strictObject({
        preset: z.enum(Object.keys(presets) as [string, ...string[]]).optional(),
        detectors: z.record(z.string(), z.unknown()).optional(),
        tools: z.record(z.string(), z.unknown()).optional(),
        ladder: z.unknown().optional(),
      })
      .describe('options of the guard, as in unloop.config.json')
      .superRefine((guard, context) => {
        try {
          createGuard(toGuardOptions(guard))
        } catch (error) {
          context.addIssue({ code: 'custom', message: (error as Error).message })
        }
      })
      .optional(),
    rules: z.array(rule).describe('exceptions; the first that matches counts').optional(),
    limits: z
      .strictObject({
        bodyBytes: whole('the longest request').optional(),
        guardedBytes: whole('the longest request that is guarded, when it is unpacked').optional(),
        guardedValues: whole('the most values in the JSON of one').optional(),
        guardedMessages: whole('the most messages in one').optional(),
        guardedCalls: whole('the most calls in one').optional(),
        guardedDepth: whole('how deep its JSON may be').optional(),
        heldBytes: whole('what is held for all requests in flight, as they are read').optional(),
        headerBytes: whole('the longest head of a request').optional(),
        headMs: whole('how long the head of a request may take').optional(),
        requestMs: whole('how long a whole request may take to come').optional(),
        connections: whole('how many connections may be open on each port').optional(),
        connectMs: whole('how long connecting to an upstream may take').optional(),
        idleMs: whole('how long an upstream may be silent').optional(),
        drainMs: whole('how long running answers may take after SIGTERM').optional(),
        sessions: whole('how many sessions are kept in memory').optional(),
        sessionIdleMs: whole('how long a silent session is kept').optional(),
      })
      .optional(),
    log: z.enum(['info', 'quiet']).optional(),
  })
  .describe('Configuration of unloop gateway')

export type GatewayOptions = z.infer<typeof configSchema>

/** The options of each guard. */
export function toGuardOptions(guard: GatewayOptions['guard'] = {}): GuardOptions {
  const { preset, ...rest } = guard
  return {
    ...(preset && { preset: presets[preset as keyof typeof presets] }),
    ...(rest as GuardOptions),
  }
}

/** The schema that editors read. */
export function toGatewayJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' })
  return { $schema, title: 'unloop gateway', ...rest }
}
