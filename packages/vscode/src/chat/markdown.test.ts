import { describe, expect, it } from 'vitest'
import { toBlocks } from './markdown.js'

describe('a message of the model', () => {
  it('has paragraphs, headings, lists and code', () => {
    const text = [
      '## The `ladder`\n\nFirst a **warning**,\nthen a stop.\n',
      '1. one\n2) two\n\n- a `b`\n* c\nafter',
      '```ts\nconst a = 1\n~~~\n```\n~~~\nopen',
    ].join('\n')
    expect(toBlocks(text)).toEqual([
      { type: 'heading', text: ['The ', { type: 'code', text: 'ladder' }, ''] },
      {
        type: 'paragraph',
        text: ['First a ', { type: 'strong', text: 'warning' }, ',\nthen a stop.'],
      },
      { type: 'list', isNumbered: true, items: [['one'], ['two']] },
      { type: 'list', isNumbered: false, items: [['a ', { type: 'code', text: 'b' }, ''], ['c']] },
      { type: 'paragraph', text: ['after'] },
      { type: 'code', language: 'ts', text: 'const a = 1\n~~~' },
      { type: 'code', language: '', text: 'open' },
    ])
  })

  it.each([
    '[click](command:workbench.action.terminal.new)',
    '<command:a> <a href="command:a">x</a> https://a.example ![x](https://a.example/x.png)',
    '#none and -none and 1.none and ****',
  ])('has no links and no markup: %s', (text) => {
    expect(toBlocks(text)).toEqual([{ type: 'paragraph', text: [text] }])
  })

  // each filled up to a megabyte
  it.each([
    '#',
    '# ',
    ' ',
    '\t',
    '\u00a0',
    '\u2028',
    '\n',
    '- ',
    '-',
    '1',
    '1. ',
    '1.\u2028',
    '`',
    '``',
    '```\n',
    '~~~\n',
    '````\n```\n',
    '*',
    '**',
    '**a',
    '**a**',
    '`a',
    '`a`',
    '* *',
    '_',
    '```a\n~~~\n',
  ])('takes time in proportion to its length: %j', (piece) => {
    for (const start of ['', '# ', '- ', '```\n', '**', '`']) {
      for (let size = 1 << 14; size <= 1 << 20; size *= 4) {
        const text = `${start}${piece.repeat(size / piece.length)}x\u2028y`
        const began = performance.now()
        toBlocks(text)
        // some 100 ms for the largest; what is not linear takes minutes
        expect(performance.now() - began, `${size} characters`).toBeLessThan(3000)
      }
    }
  })
})
