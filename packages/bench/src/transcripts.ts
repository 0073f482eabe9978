import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { atLeast, atMost, type Goal, goalRows, isMissed } from './goal.js'
import { textTable } from './table.js'
import { measureJobs } from './transcripts/jobs.js'
import { measureMemory } from './transcripts/memory.js'
import { compareFindings } from './transcripts/same.js'
import { measureReading } from './transcripts/speed.js'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    // adds a file of 2 GB, which takes minutes and disk space
    full: { type: 'boolean', default: false },
    // a file of runs, one per line, in which the findings have to be those of the library alone
    runs: { type: 'string' },
    seed: { type: 'string' },
  },
})

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const tell = (line: string) => console.error(line)
const folder = await mkdtemp(join(tmpdir(), 'unloop-bench-transcripts-'))
try {
  const speeds = await measureReading(folder, seed, tell)
  tell('threads: 800 MB in 32 files')
  const jobs = await measureJobs(folder, seed)
  const sizes = values.full ? [10, 100, 2000] : [10, 100, 400]
  const peaks = await measureMemory(folder, 'claude-code', sizes, seed, tell)
  const sameness = values.runs === undefined ? undefined : await compareFindings(values.runs)

  const [small] = peaks
  const largest = peaks.at(-1)
  const growth = ((largest?.peakBytes ?? 0) - (small?.peakBytes ?? 0)) / 2 ** 20
  const goals: Goal[] = [
    ...speeds.map(({ format, parse, guard }) =>
      atLeast(`${format}: reading and guarding beside JSON.parse`, guard / parse, 0.25, '×'),
    ),
    // the second thread has its own start and its own compiled code
    atLeast('unloop scan with two threads beside one', jobs.one / jobs.two, 1.6, '×'),
    // two cores share their memory, and on some machines much else: two processes show how much that costs
    atLeast('the same beside two processes with half of it each', jobs.apart / jobs.two, 0.9, '×'),
    // what the garbage collector leaves behind; a reader that kept a hundredth of 2 GB would need twice that
    atMost(`memory from 10 MB to ${largest?.megabytes} MB of input, more`, growth, 64, 'MB'),
  ]
  if (sameness) {
    goals.push({
      what: `findings in ${sameness.runs} runs, by the library alone and through the reader`,
      measured: sameness.isSame ? `the same ${sameness.findings}` : 'different',
      wanted: 'the same',
      held: sameness.isSame,
    })
  }
  const speedRows = speeds.map(({ format, parse, readline, read, guard, events, findings }) => [
    format,
    String(Math.round(parse)),
    String(Math.round(readline)),
    String(Math.round(read)),
    String(Math.round(guard)),
    String(events),
    String(findings),
  ])
  const peakRows = peaks.map(({ megabytes, events, peakBytes }) => [
    `${megabytes} MB of claude-code`,
    String(Math.round(peakBytes / 2 ** 20)),
    String(events),
  ])
  console.log(
    values.json
      ? JSON.stringify({ seed, speeds, jobs, peaks, sameness, goals }, null, 2)
      : [
          `seed ${seed}, Node ${process.versions.node}`,
          textTable([
            ['MB/s', 'JSON.parse', 'with readline', 'read', 'read and guard', 'events', 'findings'],
            ...speedRows,
          ]),
          textTable([['most memory', 'MB', 'events'], ...peakRows]),
          textTable(goalRows(goals)),
        ].join('\n\n'),
  )
  process.exitCode = isMissed(goals) ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
