import ts from 'typescript'

/** The regular expressions that a source has, and how many it makes at run time. */
export function expressionsIn(source: string): { literals: RegExp[]; made: number } {
  const literals: RegExp[] = []
  let made = 0
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(toExpression(node.text))
    if (ts.isIdentifier(node) && node.text === 'RegExp') {
      const { parent } = node
      if (ts.isNewExpression(parent) || ts.isCallExpression(parent)) made++
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true))
  return { literals, made }
}

function toExpression(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

type Attack = (size: number) => string

// what is linear takes some 10 ms for a megabyte, what is quadratic minutes
const LARGEST = 1 << 20
const LIMIT_MS = 500

/** A text that makes an expression slow, found by doubling texts made of its own characters; nothing if it is linear. */
export function slowAttackOn(expression: RegExp): string | undefined {
  const attacks = [...attacksOn(expression)]
  // an exponential one would not come to the end of a longer text
  const exponential = attacks.find((attack) => isSlow(expression, attack(22), 20))
  if (exponential) return exponential(22)
  const timed = attacks.map((attack) => ({ attack, ms: timeMs(expression, attack(1024)) }))
  timed.sort((a, b) => b.ms - a.ms)
  for (const { attack } of timed.slice(0, 8)) {
    for (let size = 2048; size <= LARGEST; size *= 2) {
      if (isSlow(expression, attack(size), LIMIT_MS)) return attack(32)
    }
  }
}

/** Something, much of something else, and an end that may not fit. */
function* attacksOn(expression: RegExp): Generator<Attack> {
  const tokens = tokensOf(expression)
  const pumps = [...tokens, ...tokens.flatMap((one) => tokens.map((other) => one + other))]
  for (const start of ['', ...tokens]) {
    for (const pump of new Set(pumps)) {
      for (const end of ['', '!', '\n', ' x']) {
        yield (size) => (start + pump.repeat(size / pump.length + 1)).slice(0, size) + end
      }
    }
  }
}

/** The words an expression is made of, and a character for each of its classes. */
function tokensOf({ source }: RegExp): string[] {
  const plain = source
    .replace(/\\p\{[^}]*\}/g, '\u0301')
    .replace(/\\[ux]\{?([\da-f]+)\}?/gi, (_, code) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replace(/\\([sSdDwWbB])/g, (_, name: string) => CLASSES[name.toLowerCase()] ?? '')
    .replace(/\(\?(?:<?[=!]|:)/g, '(')
  const words = plain.match(/[^\s(){}[\]|+*?^$.]{2,}/g) ?? []
  const marks = plain.match(/[^\w\s(){}[\]|+*?^$]/gu) ?? []
  return [...new Set([...words, ...marks, 'a', '1', ' ', '-'])]
    .map((word) => word.replaceAll('\\', ''))
    .filter((word) => word !== '')
    .slice(0, 14)
}

const CLASSES: Record<string, string> = { s: ' ', d: '1', w: 'a', b: '' }

/** Whether it takes longer than this, both times: the machine may be busy with other things. */
const isSlow = (expression: RegExp, text: string, limitMs: number) =>
  [1, 2].every(() => timeMs(expression, text) > limitMs)

function timeMs({ source, flags }: RegExp, text: string): number {
  const everywhere = new RegExp(source, `${flags.replace('g', '')}g`)
  const began = performance.now()
  text.replace(everywhere, '')
  return performance.now() - began
}
