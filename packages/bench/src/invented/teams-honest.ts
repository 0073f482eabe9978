import { bash, claude, json, openAi, plain, read, write } from './frames.js'
import { each, honest, type Invented, times } from './script.js'
import { PARTS, PEOPLE } from './words.js'

const domain = 'orchestration'

export const teamHonest: Invented[] = [
  honest(
    {
      name: 'one helper per module',
      domain,
      why: 'Each helper audits another module; that most are fine is a result.',
      style: claude,
    },
    (run) => {
      run.prompt('Audit every module for SQL injection, one agent per module.')
      each(run.shuffle(PARTS).slice(0, 28), (part, n) => {
        run.step(n % 7 ? '' : 'Next batch.', {
          name: 'Task',
          args: {
            subagent_type: 'security-auditor',
            description: `Audit ${part}`,
            prompt: `Audit src/${part} for SQL injection.`,
          },
          output: [
            {
              type: 'text',
              text: run.chance(0.85)
                ? `No issues found in src/${part}.`
                : `src/${part}/query.ts:${run.int(10, 200)} concatenates user input.`,
            },
          ],
        })
      })
    },
  ),
  honest(
    {
      name: 'helpers in parallel rounds',
      domain,
      why: 'Five helpers at a time summarize other files, until all are done.',
      style: claude,
    },
    (run) => {
      run.prompt('Summarize all forty design documents.')
      const parts = run.shuffle(PARTS)
      times(8, (round) => {
        run.step(
          '',
          ...parts.slice(round * 5, round * 5 + 5).map((part) => ({
            name: 'Agent',
            args: {
              description: `Summarize ${part}`,
              prompt: `Read docs/${part}.md and summarize it in two sentences.`,
            },
            output: `The document on ${part} describes ${run.pick(['the data model', 'the rollout', 'the limits', 'the trade-offs'])} and ${run.pick(['leaves storage open', 'names two risks', 'rejects caching', 'sets a budget'])}.`,
          })),
        )
      })
      each(parts.slice(0, 14), (part) =>
        run.step(
          '',
          plain(
            'Edit',
            {
              file_path: 'docs/SUMMARY.md',
              old_string: '<!-- end -->',
              new_string: `## ${part}\n\n<!-- end -->`,
            },
            'The file docs/SUMMARY.md has been updated successfully.',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'review rounds that converge',
      domain,
      why: 'The critic finds other faults in each round, fewer and fewer, and approves in the end.',
      style: openAi,
    },
    (run) => {
      run.prompt('Write the migration guide and get it approved by the reviewer.')
      const faults = [
        'The example in section 2 does not compile',
        'Section 4 lacks the rollback',
        'The table of flags misses --force',
        'Units are not given for timeouts',
        'The link to the changelog is dead',
        'Step 3 assumes root',
        'Version numbers disagree',
        'The diagram is not described',
        'A warning about backups is missing',
        'Typos in the summary',
        'The title is too long',
      ]
      each(faults, (fault, n) => {
        run.step(
          '',
          json('reviewer', { version: n + 1 }, { approved: false, issues: faults.slice(n, n + 3) }),
        )
        run.step(
          '',
          plain(
            'writer',
            { instruction: `Fix: ${fault}`, version: n + 2 },
            `Version ${n + 2} written (${1200 + n * run.int(20, 60)} words).`,
          ),
        )
      })
      run.step('', json('reviewer', { version: 12 }, { approved: true, issues: [] }))
    },
  ),
  honest(
    {
      name: 'customers passed on by a triage agent',
      domain,
      why: 'Each transfer is for another customer who asked something else.',
      style: { turns: true },
    },
    (run) => {
      each(run.shuffle(PEOPLE).slice(0, 18), (person) => {
        const to = run.pick(['billing', 'shipping', 'returns'])
        run.as()
        run.prompt(
          `${person}: ${run.pick(['Where is my parcel?', 'I want my money back.', 'The invoice is wrong.', 'Can I send this back?'])} Order ${run.int(10000, 99999)}.`,
        )
        run.as('triage')
        run.step(`I will pass you to ${to}.`, json(`transfer_to_${to}`, {}, { assistant: to }))
        run.handoff(to)
        run.as(to)
        run.step(
          '',
          json(
            'get_order',
            { order_id: run.int(10000, 99999) },
            { status: run.pick(['shipped', 'delivered', 'processing']), total: run.int(9, 300) },
          ),
        )
        run.step(
          `${person.split(' ')[0]}, your order is on its way and should arrive within ${run.int(1, 6)} days.`,
        )
      })
      run.as()
    },
  ),
  honest(
    {
      name: 'every helper reads the same guide first',
      domain,
      why: 'The helpers start alike, as they were told, but each writes another test.',
      style: claude,
    },
    (run) => {
      run.prompt('Write a test for each module, one helper each. All must read TESTING.md first.')
      each(run.shuffle(PARTS).slice(0, 16), (part) => {
        const call = {
          name: 'Task',
          args: {
            description: `Test ${part}`,
            prompt: `Read TESTING.md, then write a test for ${part}.`,
          },
          output: `Wrote test/${part}.test.ts, 4 tests pass.`,
        }
        run.delegate('', call, `tester-${part}`, () => {
          run.step('', read('TESTING.md', ['# Testing', '', 'Use vitest. No mocks.']))
          run.step('', write(`test/${part}.test.ts`, `import { ${part} } from '../src/${part}'\n`))
          run.step(
            '',
            bash(
              `npx vitest run test/${part}.test.ts`,
              ` Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Duration  ${run.decimal(0.4, 2)}s`,
            ),
          )
        })
      })
    },
  ),
  honest(
    {
      name: 'progress of a helper polled',
      domain,
      why: 'The helper reports more finished items each time and is done in the end.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Let the indexer agent index the wiki, tell me when it is finished.')
      let done = 0
      while (done < 1000) {
        run.wait(20)
        done = Math.min(1000, done + run.int(15, 50))
        run.step(
          '',
          json(
            'get_agent_status',
            { agent: 'indexer' },
            {
              agent: 'indexer',
              state: done < 1000 ? 'working' : 'done',
              indexed: done,
              total: 1000,
            },
          ),
        )
      }
      run.step('The wiki is indexed.')
    },
  ),
  honest(
    {
      name: 'experts asked about different things',
      domain,
      why: 'Twenty-two different questions, of which some have no answer.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Go through the 22 open points of the tender and have each answered by the right expert.',
      )
      times(22, (n) => {
        run.step(
          `Point ${n + 1}.`,
          plain(
            'ask_agent',
            {
              agent: run.pick(['legal', 'security', 'finance', 'operations']),
              question: `Point ${n + 1}: ${run.pick(['Do we', 'Can we', 'Must we', 'How do we'])} ${run.pick(['log', 'encrypt', 'bill', 'archive', 'delete', 'report', 'insure'])} ${run.pick(PARTS)} ${run.pick(['data', 'records', 'costs', 'access'])}?`,
            },
            run.pick([
              'Yes, that is covered by our standard contract.',
              'No, not at present.',
              `Yes, see policy ${run.int(1, 60)}.`,
              'I have no information on that.',
            ]),
          ),
        )
      })
    },
  ),
]
