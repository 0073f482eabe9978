import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, failed, prompt, result, retry, step, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { askedAgain } from './asked-again.js'

const { limit } = askedAgain().options as Record<string, number> as { limit: number }
// one before it is certain
const likely = limit - 1

/** One question in other words each time. */
const questions = [
  'Please find out which supplier delivers the blue ceramic tiles for the kitchen',
  'Which supplier delivers the blue ceramic tiles for the kitchen, please look it up',
  'Find the supplier that delivers the blue ceramic tiles for our kitchen',
  'Please look up who delivers the blue ceramic tiles, which supplier has them for the kitchen',
  'We need the supplier of the blue ceramic tiles for the kitchen, please find it',
  'Once more: which supplier delivers the blue ceramic tiles for the kitchen',
  'Find out the supplier that delivers blue ceramic tiles for the kitchen, look everywhere',
  'The blue ceramic tiles for the kitchen: which supplier delivers them, please',
]
const question = (lap: number) => questions[lap % questions.length] as string
const answer =
  'I looked at the catalog of last year and at both price lists, but none of them names anybody who has this item in stock.'
/** Too short to be recognized wherever it comes. */
const short = 'No shop in town has it, they all told me so.'
const ask = (lap: number, output: unknown = answer) =>
  step('ask_helper', { task: question(lap) }, output)

/** A refusal in other words each time. */
const no = (lap: number) =>
  [
    'Unable to look it up: the catalog asks for a login.',
    'Error: no access to the price lists.',
    'Failed: somebody with an account has to look.',
    'Cannot open the shop without a password.',
    'Denied: the supplier only answers to customers.',
    'Error: nobody picks up the phone.',
  ][lap % 6]

const errands = [
  'who sells blue ceramic tiles for a kitchen',
  'when does the ferry leave from platform two',
  'how many people read our letter last month',
  'where can I rent five bicycles on Sunday',
  'name every painter that lived near this lake',
  'translate my birthday greeting into old Greek words',
  'what did that lawyer write about noise',
  'does any library still lend vinyl records',
]

const rivers = ['Rhine', 'Danube', 'Volga', 'Loire', 'Tagus', 'Oder', 'Po', 'Seine']
const river = (lap: number) => rivers[lap % rivers.length] as string
/** A page about one river. */
const page = (lap: number) =>
  `The ${river(lap)} is a long river of this continent.\nIts name is ${river(lap)} in most languages, and boats go up and down the ${river(lap)} all year.`
/** A question about a river, worded for the lap. */
const about = (at: number, lap: number) =>
  step(
    'web_search',
    {
      query: [
        `what do people know about the river ${river(at)} today`,
        `tell me everything that people know about the ${river(at)}`,
      ][lap % 2],
    },
    page(at),
  )
/** What a browser says it sees: the same page, transcribed anew. */
const seen = (lap: number) =>
  step(
    'browse',
    { instruction: question(lap) },
    `I opened the page of the shop.\nThere is a list of tiles, a box to search in, a button to send an order and a link to the ${['start', 'home', 'front', 'main'][lap % 4]} page.`,
  )

testDetector(askedAgain(), {
  trips: {
    'at `limit` times of one request in other words with the same answer': times(limit, ask),
    'when the helper fails with the same error': times(limit, (lap) =>
      failed('ask_helper', { task: question(lap) }, 'Error: the helper ran out of memory'),
    ),
    'whatever else is done in between': times(limit, (lap) => [
      ...(lap > 0 ? step('read_file', { path: `${lap}.ts` }, `the text of file ${lap}`) : []),
      ...ask(lap),
    ]),
    'at `limit` answers that were given before': [
      ...times(limit, (lap) => about(lap, 0)),
      ...times(limit, (lap) => about(lap, 1)),
    ],
    'when every answer is another failure, in words of its own': times(limit + 2, (lap) =>
      failed('ask_helper', { task: question(lap) }, no(lap)),
    ),
    'once more than was asked for': [
      prompt('Ask the helper 6 times about the tiles'),
      ...times(7, ask),
    ],
  },
  advises: {
    'at `limit` on one request in other words that finds nothing': times(limit, (lap) =>
      failed('ask_helper', { task: question(lap) }, no(lap)),
    ),
    'one before `limit` on one request in other words with the same answer': times(likely, ask),
    'one before `limit` on answers that were given before': [
      ...times(likely, (lap) => about(lap, 0)),
      ...times(likely, (lap) => about(lap, 1)),
    ],
    'at `limit` if the answers are only similar': times(limit, seen),
    'if the answers are only similar, however often': times(20, seen).slice(0, 2 * limit),
  },
  quiet: {
    'for different things of which none is found': times(8, (lap) =>
      failed('ask_helper', { task: errands[lap] }, no(lap)),
    ),
    'while what is wrong gets less': times(8, (lap) =>
      failed('ask_helper', { task: question(lap) }, `Error: ${9 - lap} tiles are missing`),
    ),
    'for fewer': times(likely - 1, ask),
    'for fewer answers that were given before': [
      ...times(8, (lap) => about(lap, 0)),
      ...times(likely - 1, (lap) => about(lap, 1)),
    ],
    'when the answers bring news': times(12, (lap) =>
      ask(
        lap,
        `The helper found a shop at the ${river(lap)}, which sells tiles of its own make and ships them on ${['Monday', 'Tuesday', 'Friday'][lap % 3]}.`,
      ),
    ),
    'when the requests are about different things': times(8, (lap) =>
      step('ask_helper', { task: errands[lap] }, short),
    ),
    'for one request in the same words, which is a repeated call': times(8, () => ask(0, short)),
    'when the answer is a word or two': times(12, (lap) => ask(lap, 'Nobody knows.')),
    'when the helper only says again what it was asked': times(12, (lap) =>
      ask(lap, `Task taken: ${question(lap)}`),
    ),
    'for command lines, though they contain sentences': times(12, (lap) =>
      step('bash', { command: `echo ${question(lap)} | helper --ask` }, answer),
    ),
    'for queries of a database': times(12, (lap) =>
      step(
        'query',
        {
          text: `select name and price from the table of tiles where the color is blue and page is ${river(lap)}`,
        },
        answer,
      ),
    ),
    'for code': times(12, (lap) =>
      step(
        'python',
        {
          text: `for tile in tiles(kitchen): print(tile.name, tile.price); check(tile, '${river(lap)}', blue=True, ceramic=True)`,
        },
        answer,
      ),
    ),
    'for tools that wait': times(8, (lap) =>
      step('wait_for_helper', { task: question(lap) }, answer),
    ),
    'for changes': times(8, (lap) =>
      step(
        'update_plan',
        { plan: question(lap) },
        'The plan was updated, and everybody who needs to know has been told about it by mail.',
      ),
    ),
    'when all were asked at once': [
      turn(),
      ...times(8, (lap) => [call('ask_helper', { task: question(lap) })]),
      ...times(8, [result(answer)]),
    ],
    'when a retry sends it again': times(9, [turn(), ...ask(1), retry()]),
    'on a new prompt': times(4, (lap) => [prompt(), ...times(likely - 1, (n) => ask(lap + n))]),
  },
})

describe('asked-again', () => {
  const details = (events: ReturnType<typeof times>) => {
    const guard = createGuard({ detectors: [askedAgain()] })
    return events.flatMap((event) => guard.observe(event)?.detail ?? [])
  }

  it('says what the requests have in common, and how often', () => {
    expect(details(times(limit, ask)).at(-1)).toBe(
      'ask_helper was asked for nearly the same 4 times in other words and gave the same answer',
    )
    expect(details(times(limit, seen)).at(-1)).toContain('gave nearly the same answer')
  })

  it('counts the answers that were known', () => {
    const again = [
      ...times(likely, (lap) => about(lap, 0)),
      ...times(likely, (lap) => about(lap, 1)),
    ]
    expect(details(again)).toEqual([
      'at least 3 of the last 6 calls got answers that had been given before',
    ])
  })
})
