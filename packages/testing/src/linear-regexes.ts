import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { type Attack, attacksOn } from './regexes/attacks.js'
import { compile } from './regexes/compile.js'
import { countSteps } from './regexes/steps.js'

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

const soak = process.env.UNLOOP_SOAK === '1'
// every kind of them is among so many: the expressions that are not linear are still found out
const MAX_ATTACKS = soak ? Number.POSITIVE_INFINITY : 240
// sizes of text: one that is four times as long takes four times the steps if they are linear, sixteen if quadratic
const [SMALL, MIDDLE, LARGE, HUGE] = [128, 512, 1024, 4096] as const
const SUSPICIOUS = 8
const SLOW = 12
// an expression that takes so many for a text of 128 characters is exponential, or as good as that
const HOPELESS = 2 ** 21
// how many of the attacks whose steps grow fastest are tried at full size
const TRIED = 6

/**
 * The start of a text that is too slow for an expression, and its size; undefined if there is none. It counts the steps
 * of a matcher, so the answer does not depend on the machine.
 */
export function slowInputFor(regex: RegExp): string | undefined {
  const program = compile(regex)
  const steps = (attack: Attack, size: number, most = Number.POSITIVE_INFINITY) =>
    countSteps(program, attack(size), regex, most)
  const tried: { attack: Attack; growth: number }[] = []
  for (const attack of attacksOn(regex, MAX_ATTACKS)) {
    const few = steps(attack, SMALL, HOPELESS)
    if (few >= HOPELESS) return described(attack, SMALL)
    const growth = steps(attack, MIDDLE, few * SUSPICIOUS) / few
    if (growth >= SUSPICIOUS) tried.push({ attack, growth })
  }
  tried.sort((a, b) => b.growth - a.growth)
  for (const { attack } of tried.slice(0, TRIED)) {
    // what has a limit of some hundred characters grows fast only up to it
    const most = steps(attack, LARGE) * SLOW
    if (steps(attack, HUGE, most) >= most) return described(attack, HUGE)
  }
  return undefined
}

const described = (attack: Attack, size: number) =>
  `${size} characters that begin with ${JSON.stringify(attack(size).slice(0, 60))}`
