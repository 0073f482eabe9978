import { prose, sentence, thing } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { symbol } from '../code.js'
import { someRead } from '../loops/identical.js'
import { listing, matches, seconds } from '../outputs.js'
import { folders, people, stems } from '../tables/names.js'
import { editSomething, keepWorking, readSomething, startWorking } from '../work.js'

/** Many like things, because there is much to do. */
export const batchLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'many-files',
    write(stage) {
      startWorking(stage, 0)
      for (let count = stage.random.int(25, 45); count > 0; count--) readSomething(stage)
    },
  },
  {
    kind: 'batch-jobs',
    write(stage) {
      const { random, trace, agent } = stage
      trace.prompt('Align every sample in data/ against the reference, one after the other.')
      for (let sample = 1; sample <= random.int(30, 60); sample++) {
        const name = `S${String(sample).padStart(3, '0')}`
        const command = `align --threads 4 data/${name}.fastq -o out/${name}.bam`
        trace.step(
          agent.shell(command, `Align ${name}`),
          agent.printed(
            random,
            command,
            `${random.int(90, 99)}.${random.int(0, 9)} % of ${random.int(1e5, 9e6)} reads aligned in ${seconds(random)} s`,
            0,
          ),
        )
      }
    },
  },
  {
    kind: 'quiet-batch',
    write(stage) {
      const { random, trace, agent } = stage
      trace.prompt('Convert every picture in assets/ to webp.')
      for (const stem of random.sample(stems, random.int(12, 30))) {
        const command = `cwebp -quiet assets/${stem}.png -o assets/${stem}.webp`
        trace.step(agent.shell(command, `Convert ${stem}`), agent.printed(random, command, '', 0))
      }
    },
  },
  {
    kind: 'parallel-same-call',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const same = someRead(stage)
      trace.round(Array.from({ length: random.int(4, 7) }, () => same))
      keepWorking(stage, 5)
    },
  },
  {
    kind: 'failed-parallel-batch',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent } = stage
      const paths = random.sample(stems, random.int(6, 10)).map((stem) => `lib/${stem}.txt`)
      trace.round(
        paths.map((path) => ({
          call: agent.read(path, 1, 50),
          output: agent.noFile(path),
          failed: true,
        })),
      )
      trace.step(agent.list('lib'), listing(random))
      keepWorking(stage, 5)
    },
  },
  {
    kind: 'block-by-block',
    write(stage) {
      const { random, trace, agent } = stage
      trace.prompt('Load measurements.csv block by block and describe each block.')
      for (let block = 0; block < random.int(12, 25); block++) {
        const command = `python load.py --from ${block * 500} --to ${block * 500 + 499}`
        trace.step(
          agent.shell(command, `Block ${block}`),
          agent.printed(
            random,
            command,
            `rows 500, mean ${random.int(100, 999) / 10}, missing ${random.int(0, 40)}`,
            0,
          ),
        )
        trace.step(
          { name: 'append_note', args: { file: 'notes.md', text: sentence(random) } },
          'ok',
        )
      }
    },
  },
  {
    kind: 'paging-once',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const path = world.freshPath()
      const lines = world.lines(path)
      const size = random.pick([10, 15, 20])
      for (let from = 1; from <= lines.length; from += size) {
        trace.step(
          agent.read(path, from, size),
          agent.shown(path, lines.slice(from - 1, from - 1 + size), from, lines.length),
        )
      }
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'shrinking-list',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const left = random.sample(world.paths, random.int(7, 14))
      const command = 'grep -rl oldName src'
      while (left.length > 0) {
        trace.step(
          agent.shell(command, 'What is left'),
          agent.printed(random, command, left.join('\n'), 0),
        )
        editSomething(stage, left.shift())
      }
    },
  },
  {
    kind: 'translating-rows',
    write(stage) {
      const { random, trace } = stage
      trace.prompt(
        `Translate all ${random.int(40, 60)} rows of the table into French and store each one.`,
      )
      for (let row = 1; row <= random.int(30, 50); row++) {
        trace.step(
          {
            name: 'update_row',
            args: { table: 'strings', row, fr: prose(random, random.int(20, 90)) },
          },
          '{"ok":true}',
        )
      }
    },
  },
  {
    kind: 'search-many-folders',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const pattern = symbol(random, world.language)
      for (const folder of random.sample(folders, random.int(8, 16))) {
        trace.step(
          agent.search(pattern, folder),
          random.chance(0.7) ? matches(random, world.paths, pattern) : agent.noMatches(pattern),
        )
      }
    },
  },
  {
    kind: 'searches-now-and-then-empty',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      for (let count = random.int(4, 7); count > 0; count--) {
        for (let misses = random.int(1, 3); misses > 0; misses--) {
          const name = symbol(random, world.language)
          trace.step(agent.search(name, '.'), agent.noMatches(name))
        }
        readSomething(stage)
        if (random.chance(0.5)) editSomething(stage)
      }
    },
  },
  {
    kind: 'records-of-one-shape',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Check every reservation of these customers.')
      for (const person of random.sample(people, random.int(10, 18))) {
        trace.step(
          { name: 'get_user_details', args: { user_id: `${person}_${random.int(1000, 9999)}` } },
          JSON.stringify({
            name: person,
            city: thing(random),
            reservations: [random.hex(6), random.hex(6)],
            member: random.chance(0.5),
          }),
        )
      }
    },
  },
  {
    kind: 'collecting-from-pages',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Collect the prices of all products in the shop.')
      for (let page = 1; page <= random.int(10, 20); page++) {
        trace.step(
          { name: 'browser_click', args: { element: 'Next page', ref: `e${random.int(20, 400)}` } },
          `Page URL: https://shop.example/list?page=${page}\n- text: ${prose(random, 300)}`,
        )
        if (random.chance(0.7))
          trace.step(
            { name: 'save_items', args: { items: [thing(random), thing(random)], page } },
            'saved',
          )
      }
    },
  },
]
