import { textTable } from '../table.js'
import { STREAM_CHUNKS } from './answers.js'
import type { HostileResult } from './hostile.js'
import type { GatewayResults } from './measure.js'
import { addedTo, percentileOf, type Rounds } from './rounds.js'

/** The results as text for a terminal. */
export function printGateway(results: GatewayResults): string {
  const { names, latencies, firstBytes, throughput } = results
  const { plain, guarded } = names
  const columns = [names.direct, names.nginx, names.portkey, plain, guarded].filter(
    (name) => name !== undefined,
  )
  const latencyRow = (what: string, rounds: Rounds, percent: number) => [
    `${what}, p${percent}`,
    ...columns.map((name) => cell(percentileOf(rounds, name, percent))),
    cell(addedTo(rounds, plain, guarded, percent)),
  ]
  const streams = (rounds: Rounds, digits: number) =>
    columns.map((name) => cell(percentileOf(rounds, name, 50), digits))
  return [
    `LoopBench, gateway. Medians of ${results.rounds} rounds, candidates in turns. ${results.versions.join(', ')}.`,
    ...results.missing.map((why) => `Left out: ${why}.`),
    textTable([
      ['latency of a whole answer, ms', ...columns, 'added by the guard'],
      ...latencies.flatMap(({ course, rounds }) => [
        latencyRow(course.name, rounds, 50),
        latencyRow(course.name, rounds, 99),
      ]),
      ...firstBytes.map(({ name, rounds }) => latencyRow(`first byte, ${name}`, rounds, 50)),
    ]),
    textTable([
      [`streams of ${STREAM_CHUNKS} chunks, 16 connections`, ...columns],
      ['streams a second', ...streams(throughput.perSecond, 0)],
      ['MB a second', ...streams(throughput.megabytes, 1)],
      ['ms of CPU a stream', ...streams(throughput.cpu, 2)],
    ]),
    textTable([
      ['ms of CPU a request', plain, guarded],
      ...latencies.map(({ course, cpu }) => [
        course.name,
        ...[plain, guarded].map((name) => cell(cpu.get(name) ?? Number.NaN, 2)),
      ]),
    ]),
    `Memory of the guarded gateway at the end: ${results.residentMb.toFixed(0)} MB`,
  ].join('\n\n')
}

/** One row per body: what its sender got, and what everybody else noticed. */
export function printHostile(results: readonly HostileResult[]): string {
  return textTable([
    ['hostile bodies', 'KB sent', 'answer', 'after ms', '/healthz of another client, ms', 'MB'],
    ...results.map(({ name, sentBytes, answer, answeredMs, healthMs, peakMb }) => [
      name,
      cell(sentBytes / 1000, 0),
      answer,
      cell(answeredMs, 0),
      Number.isFinite(healthMs) ? cell(healthMs, 0) : 'no answer',
      cell(peakMb, 0),
    ]),
  ])
}

const cell = (value: number, digits = 2) => (Number.isNaN(value) ? '–' : value.toFixed(digits))
