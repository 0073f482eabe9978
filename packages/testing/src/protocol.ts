import type { IncomingHttpHeaders } from 'node:http'
import type { CompleteAnswer } from './reply.js'

export type ProtocolName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** The parsed body of a request. */
export type Body = Record<string, unknown>

/** One request as received. */
export interface ProviderRequest {
  protocol: ProtocolName
  /** with the query */
  path: string
  headers: IncomingHttpHeaders
  body: Body
}

/** What a protocol has to know about the request it answers. */
export interface Context {
  turn: number
  model: string
  body: Body
}

/** One provider's format for an answer. */
export interface Protocol {
  name: ProtocolName
  path: RegExp
  isStream(path: string, body: Body): boolean
  /** why the provider would refuse this history */
  refuse(body: Body): string | undefined
  /** the events of a stream, each as it is sent */
  stream(answer: CompleteAnswer, context: Context): string[]
  /** the answer in one piece */
  whole(answer: CompleteAnswer, context: Context): unknown
  error(status: number, message: string): unknown
  /** an error inside a stream, as it is sent */
  streamError(message: string): string
}

/** the time of all answers: 2026-01-01, in seconds */
export const CREATED = 1_767_225_600

/** A server-sent event with only data. */
export const toData = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** An object with a type. */
export interface EventData {
  type: string
  [field: string]: unknown
}

/** A server-sent event with the name that its data carries. */
export const toEvent = (value: EventData): string => `event: ${value.type}\n${toData(value)}`
