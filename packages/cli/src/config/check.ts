import { guardModeProblem } from '@unloop/agent/guard-mode'
import { createGuard } from 'unloop'
import type { z } from 'zod'
import { UsageError } from '../exit-code.js'
import { suggestion } from '../nearest.js'
import type { Config } from './config.js'
import { guardOptionsOf } from './guard-options.js'
import { configSchema, toJsonSchema } from './schema.js'

/** The configuration, if it is one; else an error with the file, the key, what it takes and what it got. */
export function checkConfig(value: unknown, path: string): Config {
  const { detectors, ...rest } = isRecord(value) ? value : {}
  // a list of detectors is code: the guard checks it
  const isList = Array.isArray(detectors)
  const parsed = configSchema.safeParse(isList ? rest : value)
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => explain(issue, value))
    throw new UsageError(`${path} is not a valid configuration:\n  ${problems.join('\n  ')}`)
  }
  const config = { ...parsed.data, ...(isList && { detectors }) } as Config
  if (config.baseUrl !== undefined && config.model === undefined) {
    throw new UsageError(`${path} is not a valid configuration:\n  ${NO_MODEL}`)
  }
  try {
    createGuard(guardOptionsOf(config))
  } catch (error) {
    throw new UsageError(`${path} is not a valid configuration:\n  ${(error as Error).message}`)
  }
  return config
}

const NO_MODEL =
  'baseUrl needs a model, such as "vllm/NAME": only that provider\'s key is sent there'

type Issue = z.core.$ZodIssue

function explain(issue: Issue, root: unknown): string[] {
  const { path } = issue
  const value = valueAt(root, path)
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path)
    return issue.keys.map(
      (key) =>
        `${show([...path, key])} is not known${suggestion(key, known)} (known: ${known.join(', ')})`,
    )
  }
  if (issue.code === 'invalid_union') {
    const branch = issue.errors.find(([first]) => first && isAboutInside(first, value))
    if (branch) return branch.flatMap((inner) => explain(under(path, inner), root))
    const takes = issue.errors.flat().map(allowed)
    return [`${show(path)} takes ${takes.join(' or ')}, got ${given(value)}`]
  }
  if (show(path) === 'mode') return [`mode ${guardModeProblem(value)}`]
  return [`${show(path)} takes ${allowed(issue)}, got ${given(value)}`]
}

/** Of the alternatives, the one whose shape was meant: its complaint is not about the value as a whole. */
const isAboutInside = (issue: Issue, value: unknown) =>
  issue.path.length > 0 || (issue.code === 'unrecognized_keys' && isRecord(value))

const under = (path: PropertyKey[], issue: Issue): Issue => ({
  ...issue,
  path: [...path, ...issue.path],
})

function allowed(issue: Issue): string {
  if (issue.code === 'invalid_value')
    return issue.values.length > 1 ? `one of ${issue.values.join(', ')}` : String(issue.values[0])
  if (issue.code === 'invalid_type') return NAMES[issue.expected] ?? issue.expected
  if (issue.code === 'too_small') {
    return issue.origin === 'string' ? 'a text' : `at least ${issue.minimum}`
  }
  if (issue.code === 'too_big') return `at most ${issue.maximum}`
  if (issue.code === 'invalid_format') return `a ${issue.format}`
  return issue.message
}

const NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** What the object at this path may have, as the published schema says. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schemas: Json[] = [toJsonSchema()]
  for (const key of path) {
    schemas = schemas.flatMap(alternatives).flatMap((schema) => {
      const next = (schema.properties as Json)?.[String(key)] ?? schema.additionalProperties
      return isRecord(next) ? [next] : []
    })
  }
  return schemas.flatMap(alternatives).flatMap(({ properties }) => Object.keys(properties ?? {}))
}

type Json = Record<string, unknown>

const alternatives = (schema: Json): Json[] => [schema, ...((schema.anyOf as Json[]) ?? [])]

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Json | undefined)?.[String(key)], root)

const show = (path: readonly PropertyKey[]) => path.map(String).join('.') || 'it'

function given(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
