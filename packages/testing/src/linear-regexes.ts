import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { samplesOf } from './regex-samples.js'

/** A regular expression and where it stands; without one if it is made at run time. */
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

/** A text of some size that an expression may take long for. */
type Attack = (size: number) => string

const LARGEST = 2 ** 20
// a linear expression takes 20 ms or so for a megabyte, one that is not takes minutes
const LIMIT_MS = 2000
// of the attacks that are slowest in small, so many are tried in large
const TRIED = 6

/** The beginning of a text that an expression takes too long for, and its size; undefined if there is none. */
export function slowInputFor(regex: RegExp): string | undefined {
  const attacks = attacksOn(regex)
  // what is exponential would not come to its end with more
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

/** Three times, for the machine may have been busy with something else. */
const isSlow = (regex: RegExp, text: string, limitMs: number) =>
  [1, 2, 3].every(() => timeOf(regex, text) > limitMs)

function timeOf(regex: RegExp, text: string): number {
  const everywhere = new RegExp(regex.source, `${regex.flags.replace('g', '')}g`)
  const began = performance.now()
  text.replace(everywhere, '')
  return performance.now() - began
}

// what comes behind the repeats and does not fit
const ENDS = ['', '\n', '\u0000', 'x!', 'x\ny', 'x\u2028y']

/**
 * Texts in which a part of something that matches is repeated: all of it up to a place, a part in its middle, and single
 * characters, with what comes before it in front and something that does not fit behind.
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
