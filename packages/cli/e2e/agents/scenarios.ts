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

/** Runs that go well. */
export const healthy: Record<string, Wishes> = {
  'a run of 20 different steps': (turn) => (turn < 20 ? [STEPS[turn] ?? ''] : 'Ok.'),
  // with a look between, since Gemini CLI and qwen-code themselves stop a call that comes five times in a row
  'a poll whose answer changes': (turn) =>
    turn < 16 ? [turn % 4 === 3 ? `./look ${NAMES[turn]}.txt` : './poll'] : 'Ok.',
}

/** Writes the project's files; `look` is `cat`, `poll` tells how far a build is, and both count how often they run. */
export async function fillProject({ project }: Lab): Promise<void> {
  const files: Record<string, string> = {
    look: '#!/bin/sh\necho "$*" >> ../ran.txt\ncat "$@"\n',
    // a build takes its time; what a command says right before it ends is lost by some agents on a busy machine
    poll: '#!/bin/sh\necho poll >> ../ran.txt\necho "step $(wc -l < ../ran.txt) of 16 is done"\nsleep 0.2\n',
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

// reads, writes, and a test now and then, as in any change
const STEPS = Array.from({ length: 20 }, (_, turn) => {
  const name = NAMES[turn]
  if (turn % 5 === 3) return `echo 'new ${name}' > ${name}.txt`
  if (turn % 5 === 4) return `wc -c ${NAMES[turn - 1]}.txt`
  return `./look ${name}.txt`
})
