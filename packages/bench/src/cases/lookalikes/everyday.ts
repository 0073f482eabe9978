import { prose, thing } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { stems } from '../tables/names.js'
import { startWorking } from '../work.js'

/** Everyday work that looks the same from outside: one question about many things, numbers for answers, pages in their frame. */
export const everydayLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'same-verdict-on-many-places',
    write({ random, trace }) {
      trace.prompt('Check that all of our services are healthy.')
      for (const name of random.sample(stems, random.int(12, 18))) {
        const url = `https://${name}.internal.test/health`
        trace.step({ name: 'http_get', args: { url } }, random.pick(['ok', { status: 'ok' }]))
      }
      trace.message('All of them are healthy.')
    },
  },
  {
    kind: 'numbers-for-answers',
    write({ random, trace }) {
      trace.prompt('What do these accounts hold, and which holds most?')
      for (const account of random.sample(stems, random.int(12, 18))) {
        const balance = random.int(100, 99_999) / 100
        trace.step({ name: 'get_balance', args: { account } }, { currency: 'EUR', balance })
      }
    },
  },
  {
    kind: 'still-in-progress',
    write({ random, trace }) {
      trace.prompt('Create the stack.')
      trace.step({ name: 'create_stack', args: { name: 'shop' } }, { status: 'accepted' })
      for (let count = random.int(6, 14); count > 0; count--) {
        const say = 'It is still being made, I will look again.'
        trace.step(
          { name: 'describe_stack', args: { name: 'shop' } },
          { status: 'in_progress' },
          { say },
        )
      }
      trace.step({ name: 'describe_stack', args: { name: 'shop' } }, { status: 'complete' })
    },
  },
  {
    kind: 'nothing-typed-to-see-more',
    write({ random, trace }) {
      trace.prompt('Build the project and tell me the result.')
      trace.step(
        { name: 'exec_command', args: { cmd: 'cargo build --release' } },
        { session_id: 7 },
      )
      for (let count = random.int(6, 14); count > 0; count--) {
        const args = { session_id: 7, chars: '', yield_time_ms: random.pick([1000, 5000, 10_000]) }
        trace.step({ name: 'write_stdin', args }, '')
      }
      trace.step({ name: 'write_stdin', args: { session_id: 7, chars: '' } }, 'Finished release')
    },
  },
  {
    kind: 'the-same-check-after-each-program',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const check = { name: 'bash', args: { command: 'curl -s localhost:8080/health' } }
      for (const name of random.sample(stems, random.int(7, 12))) {
        const command = `helm upgrade ${name} ./charts/${name} --set replicas=${random.int(2, 9)}`
        trace.step({ name: 'bash', args: { command } }, `Release "${name}" has been upgraded.`)
        trace.step(check, 'healthy')
      }
    },
  },
  {
    kind: 'clicking-through-pages',
    write({ random, trace }) {
      trace.prompt('Collect the names of all products.')
      const frame = 'Shop\nCart\nAccount'
      for (let count = random.int(6, 12); count > 0; count--) {
        const output = `${frame}\n${thing(random)} by ${random.pick(stems)} ${prose(random, 40)}`
        trace.step({ name: 'browser_click', args: { element: 'Next page' } }, output)
      }
    },
  },
  {
    kind: 'looking-for-errors-in-code',
    write({ random, trace }) {
      trace.prompt('Review how errors are raised.')
      for (const name of random.sample(stems, random.int(10, 16))) {
        const raised = random.pick(['Error', 'TypeError', 'RangeError', 'ValidationError'])
        const why = random.pick(['invalid', 'missing', 'unknown', 'bad'])
        const output = `${random.int(3, 300)}:    throw new ${raised}('${why} ${random.pick(stems)}')`
        trace.step(
          { name: 'bash', args: { command: `grep -n "throw new" src/${name}.ts` } },
          output,
        )
      }
    },
  },
]
