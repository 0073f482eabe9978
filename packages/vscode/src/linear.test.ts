import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The regular expressions of the package, by place; those that are made at run time as `undefined`. */
function expressions(): [place: string, expression: RegExp | undefined][] {
  const found: [string, RegExp | undefined][] = []
  for (const name of ['src', 'view']) {
    for (const path of readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
      const text = readFileSync(join(folder, name, path), 'utf8')
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
      const visit = (node: ts.Node) => {
        const line = source.getLineAndCharacterOfPosition(node.pos).line + 1
        if (ts.isRegularExpressionLiteral(node)) {
          found.push([`${name}/${path}:${line} ${node.text}`, toRegExp(node.text)])
        }
        if (ts.isIdentifier(node) && node.text === 'RegExp') {
          found.push([`${name}/${path}:${line}`, undefined])
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
    }
  }
  return found
}

function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

// lines end where `.` does not go on; these come from outside like any other character
const ENDS = ['', '\n', 'x!', 'x\ny', 'x\u2028y']

/** Characters that an expression speaks of, and a few it does not. */
function charactersOf({ source }: RegExp): string[] {
  const classes: Record<string, string> = { s: ' \t\u00a0', d: '1', w: 'a_', b: ' a', '.': 'a' }
  const named = source
    .replace(/\\p\{\w+\}/g, '\u200e')
    .replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\x([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, (_, name) => classes[name] ?? name)
  return [...new Set(` a\n${named}`)].slice(0, 12)
}

/** What makes an expression that is not linear slow: something, then much of something else, then an end that does not fit. */
function* attacks(expression: RegExp): Generator<(size: number) => string> {
  const characters = charactersOf(expression)
  const starts = ['', ...characters.flatMap((one) => [one, one.repeat(3), `${one} `])]
  const pumps = [...characters, ...characters.flatMap((a) => characters.map((b) => a + b))]
  for (const pump of pumps) {
    for (const start of starts) {
      for (const end of ENDS) yield (size) => start + pump.repeat(size / pump.length) + end
    }
  }
}

function timeMs(expression: RegExp, text: string): number {
  const everywhere = new RegExp(expression.source, `${expression.flags.replace('g', '')}g`)
  const began = performance.now()
  text.replace(everywhere, '')
  return performance.now() - began
}

/** Whether it takes longer than this, twice: the machine may be busy with other things. */
const isSlow = (expression: RegExp, text: string, limitMs: number) =>
  timeMs(expression, text) > limitMs && timeMs(expression, text) > limitMs

// a linear one takes some 10 ms for this much; one that is not, minutes
const LARGEST = 1 << 20
const LIMIT_MS = 1000

/** The attacks that may be worth more time; a few that take a multiple of what is usual will do. */
function slowestOf(expression: RegExp) {
  const timed: { attack: (size: number) => string; ms: number }[] = []
  let slow = 0
  for (const attack of attacks(expression)) {
    const ms = timeMs(expression, attack(2048))
    timed.push({ attack, ms })
    if (ms > 1 && ++slow > 50) break
  }
  timed.sort((a, b) => b.ms - a.ms)
  return timed.slice(0, 6).map(({ attack }) => attack)
}

/** The first size at which an expression takes too long, doubling it up to a megabyte. */
function tooLongAt(expression: RegExp): { size: number; start: string } | undefined {
  // an exponential one would not come to its end with more
  for (const attack of attacks(expression)) {
    const text = attack(24)
    if (isSlow(expression, text, 20)) return { size: 24, start: text }
  }
  for (const attack of slowestOf(expression)) {
    for (let size = 4096; size <= LARGEST; size *= 2) {
      const text = attack(size)
      if (isSlow(expression, text, LIMIT_MS)) return { size, start: text.slice(0, 20) }
    }
  }
}

describe('regular expressions', () => {
  const all = expressions()

  it('are all written down, so that they can be tested', () => {
    expect(all.filter(([, expression]) => !expression)).toEqual([])
    expect(all.length).toBeGreaterThan(8)
  })

  it.each(all)('%s is linear', (_, expression) => {
    expect(expression && tooLongAt(expression)).toBeUndefined()
  })

  it.each([[/[.\s]+$/], [/^\s*([-*+]|\d+[.)])\s+(.*)$/], [/(a+)+$/]])(
    '%s would be found out',
    (expression) => {
      expect(tooLongAt(expression)).toBeDefined()
    },
  )
})
