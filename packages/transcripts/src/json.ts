import { parseTime } from './parse-time.js'

/** A JSON object whose members are not known yet. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one, so that members can be asked for. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : EMPTY)

/** The value if it is a list, else an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE)

/** The value if it is a text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** An id, which some programs write as a number. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value)

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

// what a Date can hold, 275,000 years to either side
const MAX_TIME = 8.64e15

/** Whether a value can be a time in milliseconds since the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= -MAX_TIME && value <= MAX_TIME

/** Milliseconds since the epoch of an ISO time or of a number in seconds, milliseconds or finer. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseTime(value)
  const number = numberOf(value)
  if (number === undefined || number <= 0) return
  // 1e11 milliseconds are 1973, 1e11 seconds are the year 5138
  if (number < 1e11) return Math.round(number * 1e3)
  if (number < 1e14) return Math.round(number)
  const time = Math.round(number / (number < 1e17 ? 1e3 : 1e6))
  return time <= MAX_TIME ? time : undefined
}

/** The arguments of a call, which some programs write as a text of JSON. */
export function argsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const first = value.charCodeAt(0)
  if (first !== 123 && first !== 91) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const EMPTY: Json = Object.freeze({})
const NONE: readonly unknown[] = Object.freeze([])
