import { expect, test } from 'vitest'
import type { SessionView } from './live.js'
import { select } from './selection.js'

const NOTHING = { requests: 0, tokens: 0, dollars: 0 }

const session = (id: string, given: Partial<SessionView> = {}): SessionView => ({
  id,
  name: '',
  agent: 'codex',
  protocol: 'openai-responses',
  model: 'gpt-5',
  startedAt: 0,
  lastAt: 0,
  ...NOTHING,
  saved: NOTHING,
  pressure: 0,
  state: 'working',
  findings: [],
  choices: [],
  ...given,
})

const SESSIONS = [
  session('idle'),
  session('recent', { lastAt: 5, pressure: 0.001 }),
  session('near', { pressure: 0.8 }),
  session('stopped', { state: 'stopped', model: 'Claude' }),
  session('stuck', { state: 'stuck', pressure: 1, name: 'Fix the login' }),
]

const found = (search = '', state = '') => select(SESSIONS, { search, state }).map(({ id }) => id)

test('those that need a person come first', () => {
  expect(found()).toEqual(['stuck', 'stopped', 'near', 'recent', 'idle'])
})

test('all words must occur, in any order and case', () => {
  expect(found('LOGIN fix')).toEqual(['stuck'])
  expect(found('claude')).toEqual(['stopped'])
  expect(found('login claude')).toEqual([])
})

test('one state only', () => {
  expect(found('', 'working')).toEqual(['near', 'recent', 'idle'])
  expect(found('near', 'stuck')).toEqual([])
})
