import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { samplesOf } from './regex-samples.js'

/** A regular expression and its place in the source; without an expression if it is created at run time. */
export interface Found {
  place: string
  regex: RegExp | undefined
}

/** The regular expressions in the source files of a folder. */
export function regexesIn(folder: string): Found[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.endsWith('.d.ts'))
    .flatMap((path) => regexesOf(path, readFileSync(join(folder, path), 'utf8')))
}

function regexesOf(path: string, text: string): Found[] {
  const found: Found[] = []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    if (ts.isRegularExpressionLiteral(node)) {
      found.push({ place: `${path}:${line} ${node.text.slice(0, 80)}`, regex: toRegex(node.text) })
    }
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && node.expression.getText() === 'RegExp') {
      found.push({ place: `${path}:${line} ${node.getText().slice(0, 80)}`, regex: undefined })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function toRegex(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** A text of some size that may be slow for an expression. */
type Attack = (size: number) => string

const LARGEST = 2 ** 20
// a linear expression takes about 20 ms for a megabyte, any other takes minutes
const LIMIT_MS = 2000
// how many of the slowest small attacks are tried at full size
const TRIED = 6

/** The start of a text that is too slow for an expression, and its size; undefined if there is none. */
export function slowInputFor(regex: RegExp): string | undefined {
  const attacks = attacksOn(regex)
  // an exponential expression would never finish with more
  for (let size = 12; size <= 32; size += 2) {
    const slow = attacks.find((attack) => isSlow(regex, attack(size), 100))
    if (slow) return described(slow, size)
  }
  const timed = attacks.map((attack) => ({ attack, ms: timeOf(regex, attack(4096)) }))
  timed.sort((a, b) => b.ms - a.ms)
  for (const { attack } of timed.slice(0, TRIED)) {
    for (let size = 8192; size <= LARGEST; size *= 2) {
      if (isSlow(regex, attack(size), LIMIT_MS * (size / LARGEST) + 100))
        return described(attack, size)
    }
  }
  return undefined
}

const described = (attack: Attack, size: number) =>
  `${size} characters that begin with ${JSON.stringify(attack(size).slice(0, 60))}`

/** Three times, because the machine may have been busy. */
const isSlow = (regex: RegExp, text: string, limitMs: number) =>
  [1, 2, 3].every(() => timeOf(regex, text) > limitMs)

function timeOf(regex: RegExp, text: string): number {
  const everywhere = new RegExp(regex.source, `${regex.flags.replace('g', '')}g`)
  const began = performance.now()
  text.replace(everywhere, '')
  return performance.now() - began
}

// what comes after the repeats and does not match
const ENDS = ['', '\n', '\u0000', 'x!', 'x\ny', 'x\u2028y']

/**
 * Texts that repeat a part of a match: everything up to some place, a part in the middle, and single characters, after
 * the start of the match and before something that does not match.
 */
function attacksOn(regex: RegExp): Attack[] {
  const pumped = new Map<string, [start: string, pump: string]>()
  const add = (start: string, pump: string) => {
    if (pump !== '') pumped.set(`${start} ${pump}`, [start, pump])
  }
  const samples = samplesOf(regex)
  for (const sample of samples) {
    for (let end = 1; end <= sample.length; end++) add('', sample.slice(0, end))
    for (let at = 0; at < sample.length; at++) {
      for (const length of [1, 2, 3]) add(sample.slice(0, at), sample.slice(at, at + length))
      add(sample.slice(0, at), sample.slice(at))
    }
  }
  const characters = [...new Set(samples.join(''))].slice(0, 12)
  for (const one of characters) for (const other of ['', ...characters]) add('', one + other)
  return [...pumped.values()].flatMap(([start, pump]) =>
    ENDS.map((end) => (size: number) => start + pump.repeat(Math.ceil(size / pump.length)) + end),
  )
}
