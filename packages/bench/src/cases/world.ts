import type { Random } from '../random.js'
import { codeLines, type Language, symbol } from './code.js'
import { folders, stems } from './tables/names.js'

/** The repository a scripted agent works in: reading the same lines twice gives the same text. */
export interface World {
  language: Language
  root: string
  paths: string[]
  /** a file nobody has been given before, while there are any */
  freshPath(): string
  lines(path: string): string[]
  symbols(count: number): string[]
}

export function createWorld(random: Random): World {
  const language = random.pick(['ts', 'py', 'java', 'go', 'rs'] as const)
  const contents = new Map<string, string[]>()
  const paths = makePaths(random, language, random.int(60, 120))
  let given = 0
  return {
    language,
    root: random.pick([
      '/workspace/app',
      '/testbed',
      '/home/dev/project',
      '/repo',
      '/app',
      '/srv/shop',
    ]),
    paths,
    freshPath() {
      const path = paths[given++ % paths.length]
      return path as string
    },
    lines(path) {
      let lines = contents.get(path)
      if (!lines) {
        lines = codeLines(random, language, random.int(60, 420))
        contents.set(path, lines)
      }
      return lines
    },
    symbols: (count) => Array.from({ length: count }, () => symbol(random, language)),
  }
}

function makePaths(random: Random, language: Language, count: number): string[] {
  const paths = new Set<string>()
  while (paths.size < count) {
    paths.add(`${random.pick(folders)}/${random.pick(stems)}.${language}`)
  }
  return [...paths]
}
