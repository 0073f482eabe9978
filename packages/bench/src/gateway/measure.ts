import { INSTANT_MODEL, PACED_MODEL } from './answers.js'
import { type Candidates, startCandidates } from './candidates.js'
import { measureFirstByte } from './first-byte.js'
import { type Course, type Latency, measureLatency } from './latency.js'
import { residentMb } from './processes.js'
import type { Rounds } from './rounds.js'
import { measureThroughput, type Throughput } from './throughput.js'

export interface GatewayResults {
  rounds: number
  names: { direct: string; plain: string; guarded: string; nginx?: string; portkey?: string }
  versions: string[]
  missing: string[]
  latencies: Latency[]
  firstBytes: { name: string; rounds: Rounds }[]
  throughput: Throughput
  residentMb: number
}

// a busy machine has bad seconds: many short rounds, of which the median is none of those
const ROUNDS = 9

// a conversation of 12 messages has had five calls; 180 to 220 are 200 on average
const SHORT = { from: 2, to: 12, count: 600 }
const LONG = { from: 180, to: 220, count: 200 }
const COURSES: Course[] = [
  { ...SHORT, name: 'short, session named', named: true },
  { ...SHORT, name: 'short, session not named', named: false },
  { ...LONG, name: '200 messages, session named', named: true },
  { ...LONG, name: '200 messages, session not named', named: false },
  { ...LONG, name: '200 messages, the same again', named: true, same: true },
]

const STREAMS = [
  { name: 'stream at once', model: INSTANT_MODEL, count: 40 },
  { name: 'stream of 50 tokens/s', model: PACED_MODEL, tokens: 6, count: 8 },
]

export async function measureGateway(
  withPeers: boolean,
  log: (line: string) => void,
): Promise<GatewayResults> {
  log('starting …')
  const candidates = await startCandidates(withPeers)
  try {
    return await measureAll(candidates, log)
  } finally {
    await candidates.stop()
  }
}

async function measureAll(
  candidates: Candidates,
  log: (line: string) => void,
): Promise<GatewayResults> {
  const { direct, plain, guarded, nginx, portkey } = candidates
  const ours = [plain, guarded]
  const others = [direct, nginx, portkey].filter((one) => one !== undefined)
  const latencies: Latency[] = []
  for (const course of COURSES) {
    log(`latency: ${course.name} …`)
    // how a session is told from others is our question alone
    const beside = course.named && !course.same ? others : []
    latencies.push(await measureLatency(ours, beside, course, ROUNDS))
  }
  const firstBytes = []
  for (const { name, ...stream } of STREAMS) {
    log(`first byte: ${name} …`)
    const rounds = new Map([
      ...(await measureFirstByte(ours, stream, ROUNDS)),
      ...(await measureFirstByte(others, { ...stream, count: stream.count / 4 }, ROUNDS)),
    ])
    firstBytes.push({ name, rounds })
  }
  log('throughput …')
  const throughput = await measureThroughput([...others, ...ours], ROUNDS, 1000)
  return {
    rounds: ROUNDS,
    names: {
      direct: direct.name,
      plain: plain.name,
      guarded: guarded.name,
      ...(nginx && { nginx: nginx.name }),
      ...(portkey && { portkey: portkey.name }),
    },
    versions: [
      `Node ${process.versions.node}`,
      ...[nginx, portkey].flatMap((one) => (one ? `${one.name} ${one.version}` : [])),
    ],
    missing: candidates.missing,
    latencies,
    firstBytes,
    throughput,
    residentMb: residentMb(guarded.pid),
  }
}
