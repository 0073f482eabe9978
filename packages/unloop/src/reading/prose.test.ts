import { describe, expect, it } from 'vitest'
import { isProse, overlap, requestIn, wordsIn } from './prose.js'

describe('prose', () => {
  it.each([
    'Please find out which supplier delivers the tiles',
    'What is the capital of France, and who says so?',
    'Find the file src/cart.ts and say what it does, please.',
    'Bitte finde heraus, wer die blauen Fliesen liefert.',
    'Узнай, пожалуйста, кто привозит синюю плитку',
    '请查明谁供应蓝色瓷砖',
  ])('is a sentence: %s', (text) => expect(isProse(text)).toBe(true))

  it.each([
    '',
    'blue tiles',
    'src/a/b/c/d/e/f/g.ts',
    '12 34 56 78 90 12 34 a b',
    'npm run test -- --filter=cart && echo "all of it is fine"',
    'select name from the table of tiles where the color is blue',
    'WITH t AS (SELECT 1) SELECT the name of it FROM t',
    'const total = items.reduce((sum, item) => sum + item.price, 0)',
    '{"name": "the name of the item", "color": "blue like the sea"}',
  ])('is not a name, a command, a query or code: %j', (text) => expect(isProse(text)).toBe(false))
})

describe('the request of a call', () => {
  const sentence = 'find out which supplier delivers the tiles for the kitchen'
  const isRequest = (args: unknown) => requestIn(args).length > 0

  it('is the longest of its arguments, or all of them', () => {
    expect(isRequest({ task: sentence })).toBe(true)
    expect(isRequest({ agent: 'helper', effort: 3, task: sentence })).toBe(true)
    expect(isRequest(sentence)).toBe(true)
    expect(isRequest({ note: sentence, data: `${'a=1; '.repeat(30)}` })).toBe(false)
  })

  it.each([{}, undefined, null, 7, [], { task: 7 }, { task: [sentence] }, { path: 'src/a.ts' }])(
    'is missing in %j',
    (args) => expect(isRequest(args)).toBe(false),
  )

  it.each(['command', 'cmd', 'script', 'code', 'sql', 'content', 'patch'])(
    'is not looked for beside an argument called %s',
    (name) => expect(isRequest({ [name]: 'ls', task: sentence })).toBe(false),
  )

  it('is not looked for among many arguments, which are data', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, 'x']))
    expect(isRequest({ ...many, task: sentence })).toBe(false)
  })
})

describe('what two requests have in common', () => {
  const share = (one: string, other: string) => overlap(wordsIn(one), wordsIn(other))

  it('is everything, nothing, or a share of their words', () => {
    expect(share('who delivers blue tiles', 'who delivers blue tiles')).toBe(1)
    expect(share('who delivers blue tiles', 'Tiles: BLUE! delivers who?')).toBe(1)
    expect(share('who delivers blue tiles', 'where can boats land')).toBe(0)
    expect(share('who delivers blue tiles', 'who delivers green lamps')).toBeCloseTo(1 / 3)
    expect(share('', '')).toBe(0)
  })
})
