import { bash, claude, json, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'
import { PARTS } from './words.js'

const domain = 'orchestration'

export const teamLoops: Invented[] = [
  loop(
    {
      name: 'a new helper each time, same empty hands',
      domain,
      evidentAt: 12,
      why: 'Helper after helper gets the same task and reports the same obstacle.',
      style: claude,
    },
    (run) => {
      run.prompt('Find out why the nightly export is incomplete.')
      run.until(125, (lap) => {
        const name = `${run.pick(['investigator', 'analyst', 'detective', 'explorer', 'reviewer'])}-${run.pick(PARTS)}-${lap}`
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'I will start a fresh agent for this.',
                'Another agent may have more luck.',
              ]),
          {
            name: 'Task',
            args: {
              subagent_type: 'general-purpose',
              name,
              description: `${run.pick(['Investigate', 'Analyze', 'Debug', 'Research'])} export`,
              prompt: `${run.pick(['Please find out', 'Determine', 'Work out'])} why the nightly export is incomplete. ${run.pick(['Start with the logs.', 'Be thorough.', 'Look at the job table.', 'Report the root cause.'])}`,
            },
            output: [
              {
                type: 'text',
                text: `I could not access the production logs: permission denied for /var/log/export. Without them I cannot determine the root cause.\nagentId: ${run.hex(8)}`,
              },
            ],
          },
        )
      })
    },
  ),
  loop(
    {
      name: 'a new helper each time that reads and gives up',
      domain,
      evidentAt: 20,
      why: 'Each helper, under a new name, runs the same command, meets the same refusal and returns.',
      style: claude,
    },
    (run) => {
      run.prompt('Deploy the preview environment.')
      run.until(140, (lap) => {
        const agent = `deployer-${run.token(4).toLowerCase()}${lap}`
        const call = {
          name: 'Agent',
          args: { name: agent, prompt: `Deploy the preview environment. Attempt ${lap + 1}.` },
          output: `Agent ${agent} finished: the deployment was refused (403). I do not have the role deploy.admin.`,
        }
        run.delegate('', call, agent, () => {
          run.step(
            'I will deploy the preview.',
            bash(
              'flyctl deploy --app preview',
              'Error: failed to fetch app: unauthorized (403): missing role deploy.admin',
              1,
            ),
          )
          run.step('I do not have the role that is needed.')
        })
      })
    },
  ),
  loop(
    {
      name: 'helper asked again in other words',
      domain,
      evidentAt: 12,
      why: 'The database expert has said that there is no such table and says it again each time.',
      style: openAi,
    },
    (run) => {
      run.prompt('How many refunds did we grant in Q2?')
      run.until(126, () => {
        const question = `${run.pick(['Could you', 'Please', 'Can you', 'Would you'])} ${run.pick(['count', 'tell me', 'look up', 'determine', 'compute'])} ${run.pick(['the refunds', 'how many refunds were granted', 'all refunds', 'the number of granted refunds'])} ${run.pick(['in Q2', 'from April to June', 'of the second quarter', 'between 1 April and 30 June'])}${run.pick(['', ' of this year', ', by any means', ', a rough number will do'])}?`
        run.step(
          '',
          plain(
            'ask_agent',
            { agent: 'db_expert', question },
            'There is no table of refunds in this database, so I cannot answer that. Refunds are handled in the payment provider, which I have no access to.',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'customer handed to and fro',
      domain,
      evidentAt: 10,
      why: 'Billing sends the case to support and support sends it back, and nobody does anything.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('I was charged twice for order 77120.')
      run.until(128, (lap) => {
        const billing = lap % 2 === 0
        const to = billing ? 'billing' : 'support'
        run.as(billing ? 'support' : 'billing')
        run.step(
          run.pick(
            billing
              ? [
                  'This is a question for billing.',
                  'Our billing team can help with charges.',
                  'Let me pass you to billing.',
                ]
              : [
                  'This needs an account check by support.',
                  'Support has to verify the order first.',
                  'I hand you over to support.',
                ],
          ),
          json(
            `transfer_to_${to}`,
            {
              reason: run.pick([
                'double charge',
                'charged twice',
                'order 77120',
                'needs verification',
              ]),
            },
            { assistant: to },
          ),
        )
        run.handoff(to)
      })
      run.as()
    },
  ),
  loop(
    {
      name: 'critic that is never content',
      domain,
      evidentAt: 14,
      why: 'The draft is reworded, the critic demands the same missing sources, which nobody can provide.',
      style: openAi,
    },
    (run) => {
      run.prompt('Write a short article on the history of the lighthouse at Skagen with sources.')
      run.until(130, (lap) => {
        run.step(
          '',
          plain(
            'writer',
            {
              instruction: run.pick([
                'Revise the draft.',
                'Please improve the draft according to the review.',
                'Write the next version.',
              ]),
              version: lap + 1,
            },
            `The lighthouse ${run.pick(['was built in', 'goes back to', 'dates from', 'has stood since'])} 1858 and ${run.pick(['guides ships', 'marks the cape', 'warns sailors', 'lights the passage'])} ${run.pick(['between two seas', 'at the tip of Jutland', 'in all weathers', 'to this day'])}.`,
          ),
        )
        run.step(
          '',
          json(
            'critic',
            { draft_version: lap + 1 },
            {
              approved: false,
              issues: ['No sources are given. Cite at least three sources with page numbers.'],
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'sub-agent that searches in circles',
      domain,
      evidentAt: 20,
      why: 'The main agent waits while its helper asks three queries in turn, all without a result.',
      style: claude,
    },
    (run) => {
      run.prompt('Which library does the vendor use for PDF signing? Use a research helper.')
      run.step('I will delegate this.', {
        name: 'Task',
        args: { description: 'Research PDF signing', prompt: 'Find the library the vendor uses.' },
        output: 'Async agent launched successfully.\nagentId: a41c9e',
      })
      run.as('research-a41c9e')
      const queries = [
        'vendor pdf signing library',
        'vendor "pades" open source notice',
        'vendor third party licenses pdf signature',
      ]
      run.until(130, (lap) =>
        run.step(lap % 5 ? '' : 'Let me search for it.', {
          name: 'WebSearch',
          args: { query: cycle(queries, lap) },
          output: `Web search results for query: "${cycle(queries, lap)}"\n\nNo links found.`,
        }),
      )
      run.as()
    },
  ),
  loop(
    {
      name: 'inbox of a helper that has died',
      domain,
      evidentAt: 14,
      why: 'The worker exited with an error in its first message, yet the manager keeps looking for its result.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Let the worker convert the archive and tell me when it is done.')
      run.step(
        '',
        json(
          'start_worker',
          { task: 'convert archive' },
          { worker: 'w-7', pid: run.int(3000, 9000) },
        ),
      )
      run.step(
        '',
        json(
          'read_inbox',
          { worker: 'w-7' },
          { messages: [{ from: 'w-7', type: 'exit', code: 137, reason: 'killed: out of memory' }] },
        ),
      )
      run.until(130, (lap) => {
        run.wait(15)
        run.step(
          lap % 6 ? '' : 'The worker needs a little more time.',
          json(
            'read_inbox',
            {
              worker: 'w-7',
              since: `2026-09-0${1 + (lap % 8)}T${10 + (lap % 12)}:${run.int(10, 59)}:${run.int(10, 59)}Z`,
            },
            {
              messages: [],
              checked_at: `2026-09-01T10:${run.int(10, 59)}:${run.int(10, 59)}Z`,
              request_id: run.uuid(),
            },
          ),
        )
      })
    },
  ),
]
