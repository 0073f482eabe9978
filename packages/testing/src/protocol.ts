import type { IncomingHttpHeaders } from 'node:http'
import type { CompleteAnswer } from './reply.js'

export type ProtocolName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** The parsed body of a request. */
export type Body = Record<string, unknown>

/** One request as it came in. */
export interface ProviderRequest {
  protocol: ProtocolName
  /** with the query */
  path: string
  headers: IncomingHttpHeaders
  body: Body
}

/** What a protocol has to know of the request it answers. */
export interface Context {
  turn: number
  model: string
  body: Body
}

/** One provider's way to say an answer. */
export interface Protocol {
  name: ProtocolName
  path: RegExp
  isStream(path: string, body: Body): boolean
  /** why the provider would not take this history */
  refuse(body: Body): string | undefined
  /** the events of a stream, each as it is sent */
  stream(answer: CompleteAnswer, context: Context): string[]
  /** the answer in one piece */
  whole(answer: CompleteAnswer, context: Context): unknown
  error(status: number, message: string): unknown
  /** an error inside a stream, as it is sent */
  streamError(message: string): string
}

/** when all answers were made: 2026-01-01, in seconds */
export const CREATED = 1_767_225_600

/** A server-sent event of data alone. */
export const toData = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** An object that tells what it is. */
export interface EventData {
  type: string
  [field: string]: unknown
}

/** A server-sent event with the name that its data carries. */
export const toEvent = (value: EventData): string => `event: ${value.type}\n${toData(value)}`
