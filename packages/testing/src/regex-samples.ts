/** Texts that a regular expression matches, or nearly matches: each alternative and each number of repeats occurs in one of them. */
export function samplesOf({ source }: RegExp): string[] {
  let at = 0

  /** Alternatives, up to a closing bracket. */
  function alternatives(): string[] {
    const found = sequence()
    while (source[at] === '|') {
      at++
      found.push(...sequence())
    }
    return found.slice(0, MAX_SAMPLES)
  }

  /** A sequence: the first sample of each part, and each other sample of one part at a time. */
  function sequence(): string[] {
    const items: string[][] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated())
    const first = items.map(([sample = '']) => sample)
    const others = items.flatMap((samples, i) =>
      samples.slice(1).map((sample) => first.with(i, sample).join('')),
    )
    return [first.join(''), ...others].slice(0, MAX_SAMPLES)
  }

  function repeated(): string[] {
    const samples = atom()
    const [text = '', least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(source.slice(at)) ?? []
    at += text.length
    if (text === '') return samples
    const count = text.startsWith('{') ? Math.max(1, Math.min(Number(least), 40)) : 1
    const times = samples.map((sample) => sample.repeat(count))
    return [...times, ...samples.slice(0, 1).map((sample) => sample.repeat(count + 1)), '']
  }

  function atom(): string[] {
    const char = source[at++] as string
    if (char === '(') return group()
    if (char === '[') return classOf()
    if (char === '\\') return escaped()
    if (char === '.') return ['a', ' ']
    return char === '^' || char === '$' ? [''] : [char]
  }

  function group(): string[] {
    at += /^(?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0].length ?? 0
    const samples = alternatives()
    at++
    return samples
  }

  function escaped(): string[] {
    const char = source[at++] as string
    const code = /^(?:u\{?[0-9a-fA-F]+\}?|x[0-9a-fA-F]{2})/.exec(source.slice(at - 1))?.[0]
    if (code && char === 'u' && !code.includes('{')) {
      at += 4
      return [String.fromCharCode(Number.parseInt(source.slice(at - 4, at), 16))]
    }
    if (code) {
      at += code.length - 1
      return [String.fromCodePoint(Number.parseInt(code.replace(/[xu{}]/g, ''), 16))]
    }
    if (char === 'p' || char === 'P') {
      at = source.indexOf('}', at) + 1
      return ['a', 'é', '漢']
    }
    return ESCAPES[char] ?? [char]
  }

  /** Some characters of a class; for a negated class, a few common ones. */
  function classOf(): string[] {
    const isNegated = source[at] === '^'
    if (isNegated) at++
    const named: string[] = []
    while (source[at] !== ']') {
      const char = source[at++] as string
      named.push(...(char === '\\' ? escaped() : [char]))
    }
    at++
    if (!isNegated) return named.slice(0, 6)
    return ['a', ' ', '1', '-'].filter((char) => !named.includes(char))
  }

  return [...new Set(alternatives())].filter((sample) => sample !== '')
}

const MAX_SAMPLES = 24

const ESCAPES: Record<string, string[]> = {
  d: ['1'],
  w: ['a', '_'],
  s: [' ', '\n'],
  S: ['a', '<'],
  D: ['a'],
  W: [' ', '-'],
  b: [''],
  B: [''],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
}
