// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDecoder } from './decode.js'
import { key, type Press } from './press.js'

const soak = process.env.UNLOOP_SOAK === '1'
const encoder = new TextEncoder()

/** The presses of some reads, with what was left at the end. */
function decode(...reads: (string | Uint8Array)[]): Press[] {
  const decoder = createDecoder()
  const presses = reads.flatMap((read) =>
    decoder.push(typeof read === 'string' ? encoder.encode(read) : read),
  )
  return joined([...presses, ...decoder.flush()])
}

/** With texts and pastes that follow each other as one. */
function joined(presses: readonly Press[]): Press[] {
  const all: Press[] = []
  for (const press of presses) {
    const last = all.at(-1)
    if (last && press.type !== 'key' && last.type === press.type)
      all.splice(-1, 1, { type: press.type, text: last.text + press.text })
    else all.push(press)
  }
  return all
}

const text = (text: string): Press => ({ type: 'text', text })
const paste = (text: string): Press => ({ type: 'paste', text })
const unknown = key('unknown')

describe('keys', () => {
  it.each([
    ['\r', key('enter')],
    ['\n', key('newline')],
    ['\x1b\r', key('newline')],
    ['\t', key('tab')],
    ['\x1b', key('escape')],
    ['\x7f', key('backspace')],
    ['\b', key('backspace')],
    ['\x1b\x7f', key('backspace-word')],
    ['\x1b[3~', key('delete')],
    ['\x1b[3;5~', key('delete-word')],
    ['\x03', key('ctrl-c')],
    ['\x1b[99;5u', key('ctrl-c')],
    ['\x1b[27;5;99~', key('ctrl-c')],
    ['\x1b[13;2u', key('newline')],
    ['\x1b[27;2;13~', key('newline')],
    ['\x1b[97;2u', text('A')],
    ['\x1b[49:33;2u', text('!')],
    ['\x1b[97;1:3u', unknown],
    ['\x1b[57414u', unknown],
    ['\x1bOM', key('enter')],
    ['\x1b\x1b[A', key('up')],
    ['\x9bA', key('up')],
    ['é', text('é')],
    ['👩‍👩‍👧', text('👩‍👩‍👧')],
  ])('%j', (bytes, press) => {
    expect(decode(bytes)).toEqual([press])
  })

  it.each(['\x1b[A', '\x1bOA', '\x1b[1;5A', '\x1b[1;2:1A', '\x1b[1;16A'])('%j is Up', (bytes) => {
    expect(decode(bytes)).toEqual([key('up')])
  })

  it('are Escape twice when Escape is hit twice', () => {
    expect(decode('\x1b\x1b')).toEqual([key('escape'), key('escape')])
    expect(decode('\x1b\x1b', 'x')).toEqual([key('escape'), unknown])
  })
})

const parameter = fc.oneof(
  fc.nat({ max: 300 }).map(String),
  fc.constantFrom('', '27', '200', '201', '1:3', '97:65', '57441', '99999999999'),
)
const parameters = fc.array(parameter, { maxLength: 4 }).map((all) => all.join(';'))
const final = fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code))
const intermediate = fc.constantFrom('', '', ' ', '!', '"', '$', "'", '*', '+')

/** Every form of a sequence that has an end of its own. */
const sequence = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '', '?', '>', '<', '='), parameters, intermediate, final)
    .map(([mark, fields, between, end]) => `\x1b[${mark}${fields}${between}${end}`)
    .filter((each) => !/^\x1b\[(?:\[|M|200~)/.test(each) && !/^\x1b\[\d{1,3}\$./.test(each)),
  fc.tuple(parameters, final).map(([fields, end]) => `\x1bO${fields.replace(/:/g, '')}${end}`),
  fc.constantFrom('\x1b[[A', '\x1b[[E', '\x1b[7$', '\x1b[23^', '\x1b[8@', '\x1b[M !!', '\x1b[Mé€x'),
  fc
    .tuple(
      fc.constantFrom(']', 'P', 'X', '^', '_'),
      fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
      fc.constantFrom('\x07', '\x1b\\', '\x9c'),
    )
    .map((parts) => `\x1b${parts.join('')}`),
)

describe('sequences of a terminal', () => {
  const runs = { numRuns: soak ? 200_000 : 3000 }

  it('never become text, unless they are how a terminal sends that character', () => {
    fc.assert(
      fc.property(sequence, (each) => {
        const presses = decode(each)
        expect(presses).toHaveLength(1)
        if (!/^\x1b\[(?:27;|.*u$)/.test(each)) expect(presses[0]?.type).toBe('key')
        for (const press of presses)
          if (press.type === 'text') expect([...press.text].length).toBeLessThanOrEqual(3)
      }),
      runs,
    )
  })

  it('end where they end: what is typed around them is whole', () => {
    fc.assert(
      fc.property(fc.array(sequence, { maxLength: 5 }), (all) => {
        const alone = all.flatMap((each) => [text('<'), ...decode(each), text('>'), key('enter')])
        expect(decode(all.map((each) => `<${each}>\r`).join(''))).toEqual(joined(alone))
      }),
      runs,
    )
  })

  it.each([
    '\x1b[',
    '\x1b[1;5',
    '\x1bO',
    '\x1b]0;title',
    '\x1bPq',
    '\x1b[M!',
    `\x1b[${'1;'.repeat(5000)}`,
  ])('that never end are dropped, and nothing after the pause is lost: %$', (begun) => {
    const decoder = createDecoder()
    const presses = decoder.push(encoder.encode(begun))
    expect(decoder.waitMs).toBeGreaterThan(0)
    presses.push(...decoder.flush())
    expect(presses.filter(({ type }) => type !== 'key')).toEqual([])
    expect(decoder.waitMs).toBeUndefined()
    expect(decoder.push(encoder.encode('typed'))).toEqual([text('typed')])
  })

  it('that are very long are dropped whole', () => {
    expect(decode(`\x1b[${'1;'.repeat(5000)}Ax`)).toEqual([unknown, text('x')])
    expect(decode(`\x1b]${'y'.repeat(100_000)}\x07x`)).toEqual([unknown, text('x')])
  })
})

describe('bytes', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: sequence.map((each) => encoder.encode(each)) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((each) => encoder.encode(each)) },
    { weight: 3, arbitrary: fc.uint8Array({ maxLength: 12 }) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(
          '\x1b',
          '\x1b[',
          '\x1b[200~',
          '\x1b[201~',
          '\x1b[2',
          '\r',
          '\x9b',
          '\x1b\x1b',
          '\x1bP',
        )
        .map((each) => encoder.encode(each)),
    },
  )
  const bytes = fc.array(piece, { maxLength: 12 }).map((all) => Buffer.concat(all))

  it('mean the same however they are cut into reads', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (all, cuts) => {
        const places = cuts.map((cut) => Math.floor(cut * all.length)).sort((a, b) => a - b)
        const reads = [0, ...places].map((from, index) => all.subarray(from, places[index]))
        expect(decode(...reads)).toEqual(decode(all))
        expect(decode(...Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual(decode(all))
      }),
      { numRuns: soak ? 100_000 : 2000 },
    )
  })

  it('never become control characters or halves of characters in a text', () => {
    fc.assert(
      fc.property(bytes, (all) => {
        for (const press of decode(all)) {
          if (press.type === 'key') continue
          expect(press.text).not.toMatch(/\p{Cs}/u)
          expect(press.text).not.toMatch(press.type === 'text' ? /\p{Cc}/u : /(?![\n\t])\p{Cc}/u)
        }
      }),
      { numRuns: soak ? 100_000 : 2000 },
    )
  })

  it('that are no UTF-8 are dropped', () => {
    expect(decode(Uint8Array.of(0x61, 0xff, 0xc3, 0x62, 0xed, 0xa0, 0x80, 0x63))).toEqual([
      text('abc'),
    ])
  })
})

describe('a paste', () => {
  it('is one press, with its line ends and without commands to a terminal', () => {
    const pasted =
      '\x1b[200~one\r\ntwo\r\x1b[0mred\x1b]0;title\x07 \x1b[31mthree\x1b\tend\x00\x1b[201~'
    expect(decode(pasted, 'x')).toEqual([paste('one\ntwo\nred three\tend'), text('x')])
  })

  it('keeps its keys from being keys, in however many reads it comes', () => {
    const reads = ['\x1b[20', '0~a\r', '\x03b\x1b[2', '01', '~', 'y']
    expect(decode(...reads)).toEqual([paste('a\nb'), text('y')])
  })

  it('that does not end is there after a pause', () => {
    const decoder = createDecoder()
    expect(decoder.push(encoder.encode('\x1b[200~abc'))).toEqual([])
    expect(decoder.waitMs).toBeGreaterThan(0)
    expect(decoder.flush()).toEqual([paste('abc')])
    expect(decoder.push(encoder.encode('d'))).toEqual([text('d')])
  })

  it('that is longer than anybody reads comes in pieces, and stays a paste', () => {
    const decoder = createDecoder()
    decoder.push(encoder.encode('\x1b[200~'))
    const presses = Array.from({ length: 6 }, () =>
      decoder.push(new Uint8Array(2 ** 20).fill(0x61)),
    ).flat()
    expect(presses.map(({ type }) => type)).toEqual(['paste'])
    expect(decoder.push(encoder.encode('\r\x1b[201~')).map(({ type }) => type)).toEqual(['paste'])
  })
})
