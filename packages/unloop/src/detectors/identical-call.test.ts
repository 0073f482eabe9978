import { testDetector } from '../../test/detector.js'
import { call, prompt, reasoning, result, retry, text, times, turn } from '../../test/events.js'
import { identicalCall } from './identical-call.js'

const read = call('read_file', { path: 'a.ts', limit: 10 })

testDetector(identicalCall(), {
  trips: {
    'on the fifth identical call': times(5, [read]),
    'whatever the order of keys': [
      ...times(4, [read]),
      call('read_file', { limit: 10.0, path: 'a.ts' }),
    ],
    'with text and thoughts in between': [
      ...times(4, [read, text('Let me look again.'), reasoning('Hm.'), result('same')]),
      read,
    ],
    'when the arguments come as JSON text': [
      ...times(4, [read]),
      call('read_file', '{"path": "a.ts", "limit": 10}'),
    ],
    'on the fifth after another call': [call('ls'), ...times(5, [read])],
  },
  quiet: {
    'for four': times(4, [read]),
    'when another call comes in between': [...times(4, [read]), call('ls'), ...times(4, [read])],
    'on a new prompt': [...times(4, [read]), prompt('again'), ...times(4, [read])],
    'for A B C three times': times(3, [call('a'), call('b'), call('c')]),
    'when a retry sends the same calls again': times(4, [
      turn(),
      read,
      result('x'),
      turn(),
      read,
      retry(),
      call('ls'),
    ]),
  },
})
