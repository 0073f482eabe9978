import type { AST } from '@eslint-community/regexpp'
import { treeOf } from './compile.js'

const MAX_SAMPLES = 24

/** Texts that a regular expression matches, or nearly matches: each alternative and each number of repeats occurs in one of them. */
export function samplesOf(regex: RegExp): string[] {
  return [...new Set(ofChoice(treeOf(regex).alternatives, regex.flags))].filter(
    (sample) => sample !== '',
  )
}

const ofChoice = (alternatives: AST.Alternative[], flags: string): string[] =>
  alternatives.flatMap(({ elements }) => ofSequence(elements, flags)).slice(0, MAX_SAMPLES)

/** The first sample of each part, and each other sample of one part at a time. */
function ofSequence(elements: AST.Element[], flags: string): string[] {
  const items = elements.map((element) => ofElement(element, flags))
  const first = items.map(([sample = '']) => sample)
  const others = items.flatMap((samples, index) =>
    samples.slice(1).map((sample) => first.with(index, sample).join('')),
  )
  return [first.join(''), ...others].slice(0, MAX_SAMPLES)
}

function ofElement(element: AST.Element, flags: string): string[] {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofChoice(element.alternatives, flags)
    case 'Quantifier': {
      const samples = ofElement(element.element, flags)
      const count = Math.max(1, Math.min(element.min, 40))
      const times = samples.map((sample) => sample.repeat(count))
      return [...times, ...samples.slice(0, 1).map((sample) => sample.repeat(count + 1)), '']
    }
    case 'Assertion':
      return 'alternatives' in element ? ofChoice(element.alternatives, flags) : ['']
    case 'Backreference':
      return ['']
    case 'Character':
      return [String.fromCodePoint(element.value)]
    default:
      return ofSet(element.raw, flags)
  }
}

// letters of several alphabets and cases, digits, white space, punctuation
const COMMON = [...'a1 -_\nAZz09é漢<>/.:,;=+*"\'`([{}])#@!|\\~^$%&?\t\r']

/** Some characters of a class, the common ones first. */
function ofSet(raw: string, flags: string): string[] {
  const isIn = new RegExp(`^${raw}$`, flags.replace(/[gmy]/g, ''))
  const common = COMMON.filter((char) => isIn.test(char)).slice(0, 6)
  if (common.length > 0) return common
  const code = Array.from({ length: 0xffff }, (_, at) => at).find((at) =>
    isIn.test(String.fromCharCode(at)),
  )
  return [String.fromCharCode(code ?? 0)]
}
