import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claudeCall, claudePrompt } from '../e2e/transcript.js'
import { watchLoops } from './watcher.js'

let home: string
let workspace: string
let end: AbortController
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unloop-scale-'))
  workspace = join(home, 'shop')
  mkdirSync(workspace)
  end = new AbortController()
})
afterEach(() => {
  end.abort()
  rmSync(home, { recursive: true, force: true })
})

const SESSIONS = 200
const GROWING = 20

function pathOf(number: number): string {
  const path = join(home, `.claude/projects/-shop-${number % 10}/session-${number}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  return path
}

/** Each session reads another file in each step, which is honest work. */
const goOn = (number: number, step: number, file = `src/${number}-${step}.ts`) =>
  appendFileSync(pathOf(number), claudeCall(step, workspace, file, `answer ${file}`))

it(`of ${SESSIONS} sessions, ${GROWING} of them growing, a loop in any is told of`, async () => {
  const due = new Set<string>()
  let watched = 0
  for (let number = 0; number < SESSIONS; number++) {
    writeFileSync(pathOf(number), claudePrompt(workspace))
    goOn(number, 0)
    const before = new Date(Date.now() - (number < GROWING ? 1000 : 20 * 60_000))
    utimesSync(pathOf(number), before, before)
  }
  const ended = watchLoops({
    ...{ folders: [workspace], env: {}, home, guard: {}, signal: end.signal },
    onFound({ finding, place }, isDue) {
      if (place.type !== 'transcript' || !isDue || finding.certainty === 'likely') return
      due.add(place.path)
    },
    onChange: (sessions) => {
      watched = Math.max(watched, sessions.length)
    },
    ...{ onFollow: () => {}, onLeave: () => {}, onProblem: () => {}, onFault: () => {} },
  })
  await expect.poll(() => watched).toBeGreaterThanOrEqual(GROWING)

  let step = 1
  const growing = setInterval(() => {
    for (let number = 0; number < GROWING; number++) goOn(number, step)
    step++
  }, 200)
  const brandNew = SESSIONS + 1
  writeFileSync(pathOf(brandNew), claudePrompt(workspace))
  const cases = {
    'one that grows': GROWING - 1,
    'one that was silent': SESSIONS - 1,
    'a new one': brandNew,
  }
  for (const number of Object.values(cases)) {
    for (let at = 1; at <= 6; at++) goOn(number, 1000 + at, 'src/same.ts')
    await expect.poll(() => due.has(pathOf(number)), { interval: 20 }).toBe(true)
  }
  clearInterval(growing)
  end.abort()
  await ended
})
