import { prose } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { codeLines } from '../code.js'
import { clock } from '../outputs.js'
import { keepWorking, startWorking } from '../work.js'

/** Waiting for something, moving through something: the same call, and the world goes on. */
export const waitingLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'poll-moving',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const call = random.pick([
        { name: 'mcp__ci__get_job_status', args: { job_id: random.hex(8) } },
        { name: 'check_deployment', args: { id: random.int(100, 999) } },
        { name: 'BashOutput', args: { bash_id: random.hex(6) } },
      ])
      let percent = random.int(0, 5)
      while (percent < 100) {
        trace.step(call, JSON.stringify({ status: 'running', percent, updatedAt: clock(random) }))
        percent += random.int(2, 8)
      }
      trace.step(
        call,
        JSON.stringify({ status: 'succeeded', percent: 100, updatedAt: clock(random) }),
      )
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'poll-unmoving-then-done',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const call = random.pick([
        { name: 'mcp__build__status', args: { id: random.hex(8) } },
        { name: 'check_status', args: { run: random.int(1, 999) } },
        { name: 'wait_for_job', args: { job: random.hex(6), seconds: 30 } },
        {
          name: 'shell',
          args: { command: ['bash', '-lc', `sleep 20; kubectl get pod web-${random.hex(5)}`] },
        },
      ])
      const pending = random.pick([
        '{"state":"pending"}',
        'Build is still running…',
        'status: queued',
        'Pending   0/1   0',
      ])
      for (let count = random.int(6, 12); count > 0; count--) trace.step(call, pending)
      trace.step(call, '{"state":"done","artifacts":["app.tar.gz"]}')
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'poll-and-sleep',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const read = { name: 'read_output', args: { terminal: random.int(1, 9) } }
      const sleep = { name: 'sleep', args: { seconds: 10 } }
      for (let count = random.int(12, 25); count > 0; count--) {
        trace.step(read, prose(random, random.int(80, 900)))
        trace.step(sleep, '')
      }
    },
  },
  {
    kind: 'output-in-pieces',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const call = {
        name: random.pick(['read_output', 'mcp__terminal__read', 'get_logs']),
        args: { session: random.hex(4) },
      }
      for (let count = random.int(20, 50); count > 0; count--)
        trace.step(call, prose(random, random.int(400, 4000)))
    },
  },
  {
    kind: 'waiting-with-empty-commands',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const wait = { name: 'execute_bash', args: { command: '', is_input: 'true' } }
      trace.step(
        { name: 'execute_bash', args: { command: 'make all' } },
        'cc -c engine.c\n[The command has no new output after 10 seconds.]',
      )
      for (let count = random.int(5, 9); count > 0; count--) {
        trace.step(
          wait,
          random.chance(0.5)
            ? '[The command has no new output after 10 seconds. You may wait longer to see additional output.]'
            : `cc -c ${random.hex(4)}.c\n[Below is the output of the previous command.]`,
        )
      }
      trace.step(wait, 'ld -o engine\n[The command completed with exit code 0.]')
      keepWorking(stage, 4)
    },
  },
  {
    kind: 'debugger-steps',
    write(stage) {
      startWorking(stage)
      const { random, trace, world } = stage
      const call = random.pick([
        { name: 'mcp__gdb__execute', args: { command: 'next' } },
        { name: 'debugger_step', args: { mode: 'over' } },
        { name: 'pdb', args: { command: 'n' } },
      ])
      const lines = world.lines(world.freshPath())
      const from = random.int(1, 30)
      for (let step = 0; step < random.int(15, 30); step++) {
        trace.step(call, `${from + step}\t${lines[from + step] ?? '}'}\nlocals: i = ${step}`)
      }
    },
  },
  {
    kind: 'scrolling',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const call = random.pick([
        { name: 'scroll_down', args: { command: 'scroll_down' } },
        { name: 'page_down', args: {} },
        { name: 'browser_scroll', args: { direction: 'down', pixels: 800 } },
      ])
      for (let page = 1; page <= random.int(8, 20); page++) {
        trace.step(call, `Viewport position: page ${page}\n${prose(random, random.int(300, 1500))}`)
      }
    },
  },
  {
    kind: 'moving-blindly',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const [call, answer] = random.pick([
        [{ name: 'scroll', args: { direction: 'down' } }, 'Scrolled down'],
        [{ name: 'press_key', args: { key: 'PageDown' } }, 'Pressed PageDown'],
        [{ name: 'next_page', args: {} }, 'ok'],
      ] as const)
      for (let count = random.int(5, 10); count > 0; count--) trace.step(call, answer)
      trace.step({ name: 'screenshot', args: {} }, `[image ${random.hex(16)}]`)
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'up-and-up',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const folders =
        `/srv/shop/${random.sample(['web', 'src', 'pages', 'cart', 'items', 'parts', 'deep'], 6).join('/')}`.split(
          '/',
        )
      for (let depth = folders.length - 1; depth > 1; depth--) {
        trace.step(
          { name: 'bash', args: { command: 'cd .. && pwd' } },
          folders.slice(0, depth).join('/'),
        )
      }
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'next-record',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const call = {
        name: random.pick(['mcp__db__fetch_next', 'cursor_next', 'get_next_ticket']),
        args: { cursor: random.hex(4) },
      }
      for (let row = 0; row < random.int(15, 40); row++) {
        trace.step(
          call,
          JSON.stringify({
            id: random.int(1, 99999),
            title: prose(random, 60),
            open: random.chance(0.5),
          }),
        )
      }
    },
  },
  {
    kind: 'one-sentence-new-pages',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const say = random.pick([
        'Let me continue reading the file.',
        'Next page.',
        'I will look at the following part.',
      ])
      const path = world.freshPath()
      const lines = codeLines(random, world.language, random.int(500, 900))
      for (let from = 1; from < lines.length; from += 50) {
        const page = lines.slice(from - 1, from + 49)
        trace.step(agent.read(path, from, 50), agent.shown(path, page, from, lines.length), { say })
      }
    },
  },
]
