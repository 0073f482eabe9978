// Three agents that are stuck, each in its own way, and the guard that notices.
// npm i unloop
import assert from 'node:assert/strict'
import { styleText } from 'node:util'
import { createGuard } from 'unloop'

const inColour = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (colour, text) => (inColour ? styleText(colour, text) : text)

play({
  title: 'It repeats one call',
  request: 'Why does the login test fail?',
  *agent(turn) {
    if (turn === 1) yield* say('Let me look at the login code.')
    yield* call('read_file', { path: 'src/login.ts' }, 'export function login(name) { …')
  },
})

play({
  title: 'It goes round in a circle',
  request: 'Rename the option timeout to timeoutMs.',
  *agent(turn) {
    if (turn === 1) yield* say('I will read the file, edit it and run the tests.')
    yield* [
      call('read_file', { path: 'src/http.ts' }, 'const timeout = options.timeout ?? 30'),
      call('edit', { path: 'src/http.ts', old: 'timeOut =' }, 'no such text', true),
      call('run_tests', {}, '1 failed: http takes timeoutMs', true),
    ][(turn - 1) % 3]
  },
})

play({
  title: 'It chants',
  request: 'Write the release notes.',
  *agent() {
    yield* say('This release makes the client faster. ')
    for (;;) yield* say('I will now write the rest of the notes, one section after the other. ')
  },
})

/** Plays an agent that does the same in every turn, whatever it is told, until the guard stops it. */
function play({ title, request, agent }) {
  console.log(`\n${paint('bold', title)}\n  the person asks: ${request}`)
  const guard = createGuard()
  const log = createLog()
  guard.observe({ type: 'prompt', text: request })

  // a circle that nobody stops would go on until the money is gone; here it gets 30 turns
  for (let turn = 1; turn <= 30 && !guard.stopped; turn++) {
    log.turn(turn)
    guard.observe({ type: 'turn-start' })
    const events = agent(turn)
    for (let next = events.next(); !next.done; ) {
      const finding = guard.observe(next.value)
      log.event(next.value, finding)
      if (guard.stopped || finding?.action === 'cut') break
      next = events.next(finding)
    }
    guard.observe({ type: 'turn-end' })
  }
  assert(guard.stopped, `${title}: the guard should have stopped it by now`)
}

/** Text as a model streams it, a few characters at a time. */
function* say(text) {
  for (let i = 0; i < text.length; i += 7) yield { type: 'text', text: text.slice(i, i + 7) }
}

/** A call and its answer; a call that is blocked is answered with the advice. */
function* call(name, args, output, isError = false) {
  const finding = yield { type: 'tool-call', name, args }
  if (finding?.action !== 'block') yield { type: 'tool-result', name, output, isError }
  else yield { type: 'tool-result', name, output: finding.advice, isError: true }
}

/** Prints what the agent does and what the guard says of it, one line each. */
function createLog() {
  let turn = ''
  let text = ''
  let lastText = ''
  let refused = false

  function print(mark, line) {
    console.log(`  ${paint('dim', turn.padStart(7))} ${mark} ${line}`)
    turn = ''
  }

  function printText() {
    if (text && text !== lastText) print(' ', shorten(text))
    if (text) lastText = text
    text = ''
  }

  return {
    turn(number) {
      printText()
      turn = `turn ${number}`
    },
    event(event, finding) {
      if (event.type === 'text') text += event.text
      else printText()
      if (event.type === 'tool-call') {
        print(' ', paint('cyan', `${event.name} ${JSON.stringify(event.args)}`))
      } else if (event.type === 'tool-result' && !refused) {
        print(' ', paint(event.isError ? 'red' : 'dim', `  ${event.output}`))
      }
      refused = finding?.action === 'block' && event.type === 'tool-call'
      if (!finding) return
      lastText = ''
      printText()
      const { action, certainty, detail, advice, wasted } = finding
      const ends = action === 'ask' || action === 'stop'
      const state = certainty === 'likely' ? 'struggling' : 'stuck'
      print(paint(ends ? 'red' : 'yellow', '●'), paint('bold', `${state}, ${action}: ${detail}`))
      const characters = wasted.characters > 0 ? ` and ${wasted.characters} characters` : ''
      if (ends) print(' ', `it had cost ${wasted.events} events${characters}`)
      else print(' ', `${action === 'block' ? 'its answer is' : 'the model is told'}: ${advice}`)
    },
  }
}

function shorten(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 90 ? line : `${line.slice(0, 89)}… (${line.length} characters)`
}
