import { describe, expect, it } from 'vitest'
import { slowInputFor } from './linear-regexes.js'

describe('regular expressions that are not linear', () => {
  // otherwise the tests of those that are would say nothing
  it.each([
    /^(a+)+$/,
    /(?:x|xx)*y/,
    /\s+$/,
    /[.\s]+$/,
    /^\s*([-*+]|\d+[.)])\s+(.*)$/,
    /<a>[\s\S]*?<\/a>/g,
    /\beyJ[\w-]{8,}\./,
    /\/chats\/.*\.jsonl?$/,
    /\d+\s*x/,
    /\b(?:AIza|(?:sk|pk|rk|key)[-_])(?=[\w.-]*[\d*])[\w*.-]{6,}/g,
    /<!--.*-->/s,
    /(?:https?:\/\/)?\w+@/,
    /^([^\n#]*\s|)#/gm,
    /(?<=:\s*)x/,
    /(?:a?){24}a{24}/,
    /^(?:(?=(a+))\1b|[^b])+$/m,
  ])('are found out: %s', (regex) => {
    expect(slowInputFor(regex)).toBeDefined()
  })

  it.each([/^a+b/, /\w{1,64}@/, /^[ \t]*>[^\n]*/gm, /\s+x/y, /(?<!\w)\w+/, /(?:a|b?)*c/y])(
    'others are not: %s',
    (regex) => {
      expect(slowInputFor(regex)).toBeUndefined()
    },
  )
})
