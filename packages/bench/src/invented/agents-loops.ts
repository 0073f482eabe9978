import { claude, json, openAi, plain } from './frames.js'
import { ticker } from './noise.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'orchestration'

export const agentsLoops: Invented[] = [
  loop(
    {
      name: 'a coworker who says no in ever other words',
      domain,
      evidentAt: 12,
      why: 'The task is reworded and so is the answer, which is always that there is no access to the ERP.',
      style: openAi,
    },
    (run) => {
      run.prompt('how much stock of article 4400-B do we have? ask the warehouse coworker')
      run.until(73, (lap) =>
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick(['I will ask more precisely.', 'Let me give more context.', '']),
          plain(
            'Delegate work to coworker',
            {
              coworker: 'Warehouse Specialist',
              task: `${run.pick(['Find out', 'Report', 'Determine', 'Check', 'Look up'])} ${run.pick(['the stock of', 'how many pieces there are of', 'the quantity on hand of', 'the inventory level of'])} article 4400-B`,
              context: run.pick([
                'The customer needs it today.',
                'We need an exact number.',
                'Use any source you have.',
                'This is urgent and important.',
              ]),
            },
            `${run.pick(['Unfortunately', 'I am sorry, but', 'Regrettably', 'At the moment'])} ${run.pick(['I have no access to the ERP system', 'I cannot reach the ERP', 'the ERP is not available to me', 'I lack a connection to the ERP'])}${run.pick(['', ', so the stock is unknown to me', ' and cannot tell the stock', '; please ask somebody with a login'])}.`,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a supervisor who sends the finished work back',
      domain,
      evidentAt: 14,
      why: 'The researcher says that it is finished and gives the answer; the supervisor routes to it again each time.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('What is the boiling point of acetone? Use the team.')
      run.until(76, () => {
        run.as('supervisor')
        run.step(
          '',
          json(
            'route',
            {
              next: 'researcher',
              reason: run.pick([
                'needs research',
                'answer incomplete',
                'continue',
                'next step',
                'verify',
              ]),
            },
            { next: 'researcher' },
          ),
        )
        run.handoff('researcher')
        run.as('researcher')
        run.step(
          run.pick([
            'FINAL ANSWER: 56 °C. I am finished.',
            'Acetone boils at 56 °C. FINISH',
            'The answer is 56 °C; nothing is left to do.',
            'As stated before, it is 56 °C. FINISH',
          ]),
        )
        run.handoff('supervisor')
      })
      run.as()
    },
  ),
  loop(
    {
      name: 'a case that goes round three desks',
      domain,
      evidentAt: 13,
      why: 'Triage sends it to technology, technology to sales, sales to triage, and nobody does anything.',
      style: { ids: 'call_', turns: true },
    },
    (run) => {
      run.prompt('my router keeps rebooting since the upgrade you sold me')
      const desks = ['triage', 'tech', 'sales']
      run.until(74, (lap) => {
        const to = cycle(desks, lap + 1)
        run.as(cycle(desks, lap))
        run.step(
          run.pick([
            `This is something for ${to}.`,
            `I connect you with ${to}, one moment.`,
            `${to} will take care of your router.`,
            '',
          ]),
          json(
            'handoff',
            {
              to,
              summary: run.pick([
                'router reboots',
                'reboots since upgrade',
                'customer unhappy with upgrade',
                'router problem after sale',
              ]),
            },
            { accepted: true, ticket: 'T-5512' },
          ),
        )
        run.handoff(to)
      })
      run.as()
    },
  ),
  loop(
    {
      name: 'a helper that asks which file',
      domain,
      evidentAt: 11,
      why: 'The helper needs the name of the file, and the task comes back in other words without a name.',
      style: claude,
    },
    (run) => {
      run.prompt('have the pdf helper extract the tables')
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 4 ? '' : run.pick(['I will clarify the task.', 'Let me restate it.', '']),
          {
            name: 'Task',
            args: {
              subagent_type: 'pdf-helper',
              description: run.pick(['Extract tables', 'Get tables', 'Table extraction']),
              prompt: `${run.pick(['Extract', 'Please get', 'Pull out', 'Return'])} ${run.pick(['all tables', 'every table', 'the tables'])} ${run.pick(['as CSV', 'as Markdown', 'with headers', 'in order'])}. ${run.pick(['Be complete.', 'Do not skip any.', 'Report when done.', 'It is important.'])}`,
            },
            output: [
              {
                type: 'text',
                text: `${run.pick(['Which file do you mean?', 'Please tell me the path of the PDF.', 'I need to know which PDF to read.'])} There are 14 PDFs in the folder.\nagentId: ${run.hex(8)}`,
              },
            ],
          },
        ),
      )
    },
  ),
  loop(
    {
      name: 'two agents that never agree on a word',
      domain,
      evidentAt: 16,
      why: 'The writer puts in "cheap", the editor "affordable", and the document goes to and fro between the two.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('writer + editor: polish the slogan')
      run.until(76, (lap) => {
        const writer = lap % 2 === 0
        run.as(writer ? 'writer' : 'editor')
        run.step(
          run.pick(['', writer ? '"Cheap" is punchier.' : '"Affordable" is on brand.']),
          json(
            'update_doc',
            {
              doc: 'slogan',
              text: writer ? 'Cheap flights for all' : 'Affordable flights for all',
            },
            { ok: true, revision: 12 + lap, words: 4 },
          ),
        )
        run.handoff(writer ? 'editor' : 'writer')
      })
      run.as()
    },
  ),
  loop(
    {
      name: 'an orchestrator asking for the state of everybody',
      domain,
      evidentAt: 18,
      why: 'All workers have been idle since their first report, as they say; the round of questions starts over and nobody gets work.',
      style: openAi,
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('coordinate the five workers and get the catalogue translated')
      run.until(75, (lap) => {
        const worker = cycle(['fr', 'de', 'es', 'it', 'pl'], lap)
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick([
                'Collecting the status of all workers.',
                'Let me see how far they are.',
                'Checking in with the team.',
              ]),
          json(
            'ask_worker',
            {
              worker,
              message: run.pick([
                'What is your status?',
                'How far are you?',
                'Any progress?',
                'Status update please.',
                'Are you done?',
              ]),
            },
            { worker, state: 'idle', text: 'No task was assigned to me.', at: clock() },
          ),
        )
      })
    },
  ),
]
