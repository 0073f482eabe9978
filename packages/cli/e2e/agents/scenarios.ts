import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lab } from './lab.js'
import type { Wishes } from './model.js'

/** A model that is stuck, and how many of its commands may run before it is stopped. */
export interface Loop {
  wishes: Wishes
  atMost: number
}

// a model that nobody stops ends after this many turns, so that each test ends
const TURNS = 24

const until =
  (wishes: Wishes): Wishes =>
  (turn) =>
    turn < TURNS ? wishes(turn) : 'Ok.'

export const loops: Record<string, Loop> = {
  'the same failing call': { wishes: until(() => ['./look nothing.txt']), atMost: 6 },
  'two failing calls in turn': {
    wishes: until((turn) => [turn % 2 ? './look missing.txt' : './look nothing.txt']),
    atMost: 9,
  },
  'ever new names with the same answer': {
    wishes: until((turn) => [`./look ${NAMES[turn]}.json`]),
    atMost: 16,
  },
  'the same parallel calls each round': {
    wishes: until(() => ['./look a.json', './look b.json', './look c.json']),
    atMost: 9,
  },
}

/** Reads, writes, and a test now and then, as in any change; at most 20 of them. */
export const differentSteps =
  (count: number): Wishes =>
  (turn) =>
    turn < count ? [STEPS[turn] ?? ''] : 'Ok.'

/** Runs that go well. */
export const healthy = {
  'a run of different steps': differentSteps(14),
  // with a look between, since Gemini CLI and qwen-code themselves stop a call that comes five times in a row
  'a poll whose answer changes': (turn) =>
    turn < 12 ? [turn % 4 === 3 ? `./look ${NAMES[turn]}.txt` : './poll'] : 'Ok.',
} satisfies Record<string, Wishes>

/** Writes the project's files; `look` is `cat`, `poll` tells how far a build is, and both count how often they run. */
export async function fillProject({ project }: Lab): Promise<void> {
  const files: Record<string, string> = {
    // each takes its time: what a command says that ends within milliseconds is lost by some agents on a busy machine
    look: '#!/bin/sh\necho "$*" >> ../ran.txt\ncat "$@"\ncode=$?\nsleep 0.2\nexit $code\n',
    poll: '#!/bin/sh\necho poll >> ../ran.txt\necho "step $(wc -l < ../ran.txt) of 12 is done"\nsleep 0.2\n',
  }
  for (const [at, name] of NAMES.entries()) files[`${name}.txt`] = `${name} is number ${at}\n`
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
  for (const name of ['look', 'poll']) await chmod(join(project, name), 0o755)
}

/** The commands that really ran. */
export async function readRan({ project }: Lab): Promise<string[]> {
  const text = await readFile(join(project, '../ran.txt'), 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}

const NAMES = [
  ...['config', 'settings', 'options', 'defaults', 'values', 'params', 'env', 'secrets', 'flags'],
  ...['features', 'routes', 'users', 'orders', 'prices', 'stock', 'mail', 'queue', 'cache', 'logs'],
  ...['metrics', 'alerts', 'themes', 'fonts', 'icons'],
]

const STEPS = Array.from({ length: 20 }, (_, turn) => {
  const name = NAMES[turn]
  if (turn % 5 === 3) return `echo 'new ${name}' > ${name}.txt`
  if (turn % 5 === 4) return `wc -c ${NAMES[turn - 1]}.txt; sleep 0.2`
  return `./look ${name}.txt`
})
