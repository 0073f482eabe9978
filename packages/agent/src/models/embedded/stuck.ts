import { topics } from '../../guide/topics.js'
import type { Reply } from './reply.js'
import type { Situation } from './situation.js'

/** How the embedded model gets stuck, by the name of the rule that sees it: its turn number `n`. */
const behaviours: Record<string, (n: number, situation: Situation) => Reply> = {
  'repeated-call': () => call('list_topics', {}),

  'call-cycle': (n) =>
    [
      call('list_topics', {}),
      call('read_topic', { topic: 'ladder' }),
      call('search_guide', { query: 'chant' }),
    ][n % 3] as Reply,

  // one look at the same thing, between looks at others, in no fixed rhythm
  'scattered-call': (n) =>
    [0, 2, 3, 6, 8, 9, 12, 14, 17, 19, 20, 23].includes(n % 24)
      ? call('list_topics', {})
      : call('read_topic', lineOf(n)),

  // the same list, asked for in ever other ways
  'same-answer': (n) => ({ text: 'Hm. ', ...call('list_topics', { page: n + 1 }) }),

  // the same question in other words, as to a helper that has nothing to add
  'asked-again': (n) =>
    call('read_topic', {
      topic: 'ladder',
      question: `${ASKING[n % ASKING.length]} what happens when a loop goes on after the advice?`,
    }),

  failing: (n) => call(`${MADE_UP[n % MADE_UP.length]}_${n + 1}`, { path: 'report.pdf' }),

  paging: (n) => call('read_topic', { topic: 'detectors', from: 1 + (n % 15) }),

  // a preview model reads file after file, the others ask for everything at once
  'call-flood': (n, { model }) =>
    /preview/i.test(model)
      ? call('read_file', { path: `src/part-${n + 1}.ts` })
      : {
          calls: Array.from({ length: 100 }, (_, i) => ({
            name: 'read_topic',
            args: lineOf(n * 100 + i),
          })),
        },

  chanting: () => ({ text: SENTENCE.repeat(400) }),

  'repeated-message': (n) => ({
    text: 'I will look at the next page of the guide to find out what the person wants to know about it.',
    ...searchInVain(n),
  }),

  'repeated-thought': (n) => ({
    reasoning:
      'The answer must be somewhere in the guide. I should read one more page before I say anything about it.',
    ...searchInVain(n),
  }),

  // always something new and never an end: no rule sees it, a judge does
  judge: (n, { advised }) =>
    n < PATIENCE || advised ? call('read_topic', lineOf(n)) : { text: NO_JUDGE },

  // the rules of the presets
  'identical-call': () => call('read_file', { path: 'README.md' }),
  'text-window': () => ({ text: SENTENCE.repeat(400) }),

  'ping-pong': (_, { system }) =>
    system.includes('You plan')
      ? call('hand_off', { to: 'coder', text: 'Please fix the login test and report back to me.' })
      : call('hand_off', {
          to: 'planner',
          text: 'I cannot fix the login test, please plan it again.',
        }),
}

/** What the embedded model can be asked to get stuck in. */
export const STUCK_KINDS: readonly string[] = Object.keys(behaviours)

/** The reply of a model that is stuck; one that heeds advice finishes once it has some. */
export function stuckReply(kind: string, heeds: boolean, situation: Situation): Reply {
  if (heeds && situation.advised) {
    return {
      text: 'You are right, I was going in circles. I stop here and tell you what I have: the guide answers this under "unloop".',
    }
  }
  return behaviours[kind]?.(situation.turns, situation) ?? { text: unknownKind(kind) }
}

const unknownKind = (kind: string) =>
  `I do not know how to get stuck in "${kind}". I know: ${STUCK_KINDS.join(', ')}.`

const call = (name: string, args: Record<string, unknown>): Reply => ({ calls: [{ name, args }] })

const searchInVain = (n: number) =>
  call('search_guide', { query: `${MISSING[n % MISSING.length]} ${n + 1}` })

// a judge is asked from turn 30 on, and would have spoken up by then
const PATIENCE = 40
const NO_JUDGE = `I have read ${PATIENCE} lines and nobody has stopped me: no rule sees this, only a judge does. To try it, configure a judge ("judge": { "model": "embedded" } in unloop.config.json) and leave the guard on.`

const SENTENCE = 'I will now check the configuration again to be sure. '
const MISSING = ['login handler', 'sign-in code', 'auth module', 'session keeper', 'user gate']
const ASKING = [
  'Could you tell me',
  'Please explain in your own words',
  'Once more, and in more detail:',
  'What I need to know is',
  'Let me ask in another way:',
  'Does the guide say anywhere',
  'In short,',
]
const MADE_UP = ['open_document', 'fetch_page', 'load_file', 'get_content', 'show_text']

/** The n-th line of the guide, in no order a reader would choose; after the last comes the first. */
function lineOf(n: number): { topic: string; from: number; count: number } {
  const lines = Object.entries(topics).flatMap(([topic, { length }]) =>
    Array.from({ length }, (_, line) => ({ topic, from: line + 1, count: 1 })),
  )
  // a step that shares no factor with the number of lines visits each of them before any comes again
  return lines[(n * 7) % lines.length] as { topic: string; from: number; count: number }
}
