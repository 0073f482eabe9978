import { bash, claude, edit, grep, json, mcp, openAi, plain } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { COMPANIES, PARTS } from './words.js'

const domain = 'language'

const WORDS = [
  'valve',
  'hose',
  'cover',
  'switch',
  'filter',
  'pump',
  'gasket',
  'lever',
  'panel',
  'bracket',
  'spring',
  'nozzle',
  'clamp',
  'sensor',
] as const
const VERBS = [
  ['Remove', 'Entfernen'],
  ['Tighten', 'Befestigen'],
  ['Replace', 'Ersetzen'],
  ['Clean', 'Reinigen'],
  ['Check', 'Prüfen'],
  ['Loosen', 'Lösen'],
] as const

const PARTS_OF_PUMP = [
  ['valve', 'das Ventil'],
  ['hose', 'den Schlauch'],
  ['cover', 'den Deckel'],
  ['filter', 'den Filter'],
  ['gasket', 'die Dichtung'],
  ['lever', 'den Hebel'],
  ['spring', 'die Feder'],
  ['nozzle', 'die Düse'],
] as const

export const languageHonest: Invented[] = [
  honest(
    {
      name: 'segments confirmed from a translation memory',
      domain,
      why: 'Each segment is another sentence of the manual, and the memory knows most of them.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        run.pick([
          'go through the fuzzies in manual_de.sdlxliff, fix and confirm. 85%+ only',
          'Fuzzy Matches ab 85 % im Handbuch durchgehen, anpassen, bestätigen',
        ]),
      )
      times(run.int(22, 28), (n) => {
        const id = 100 + n * 2
        const [verb, imperative] = run.pick(VERBS)
        const [part, teil] = run.pick(PARTS_OF_PUMP)
        const torque = run.int(2, 40)
        run.step(
          '',
          json(
            'tm_lookup',
            { segment: id },
            {
              segment: id,
              source: `${verb} the ${part} (${torque} Nm).`,
              match: run.int(85, 99),
              target: `${imperative} Sie ${teil} (${torque + run.int(1, 9)} Nm).`,
            },
          ),
        )
        run.step(
          '',
          json(
            'confirm_segment',
            { segment: id, target: `${imperative} Sie ${teil} (${torque} Nm).` },
            { result: 'OK' },
          ),
        )
      })
      run.step('All fuzzy matches from 85 % on are confirmed.')
    },
  ),
  honest(
    {
      name: 'plural forms added entry by entry',
      domain,
      why: 'After each edit the same check is run, and there is one error less in its list.',
      style: claude,
    },
    (run) => {
      run.prompt('napraw pl.po, msgfmt krzyczy o formy mnogie')
      const lines = range(run.int(15, 19)).map((n) => 80 + n * run.int(9, 11))
      const check = (left: number[]) =>
        bash(
          'msgfmt -c -o /dev/null po/pl.po',
          left.length
            ? `${left.map((line) => `po/pl.po:${line}: nplurals = 3...\npo/pl.po:${line}: ...but some messages have only 2 plural forms`).join('\n')}\nmsgfmt: found ${left.length} fatal errors`
            : '',
          left.length ? 1 : 0,
        )
      run.step('', check(lines))
      each(lines, (line, n) => {
        const word = run.pick(['plik', 'wiersz', 'folder', 'błąd', 'wpis'])
        run.step(
          '',
          edit(
            'po/pl.po',
            `msgstr[1] "${word}y ${line}"`,
            `msgstr[1] "${word}i"\nmsgstr[2] "${word}ów"`,
          ),
        )
        run.step('', check(lines.slice(n + 1)))
      })
      run.step('Gotowe, msgfmt nic już nie zgłasza.')
    },
  ),
  honest(
    {
      name: 'subtitles shortened until they fit',
      domain,
      why: 'A line may need two or three versions before it fits, and then comes the next line.',
    },
    (run) => {
      run.prompt(
        'Subtitles of ep. 4 are too long for the broadcaster (42 chars). Fix every rejected line.',
      )
      const filler = [
        'really',
        'just',
        'honestly',
        'right now',
        'you know',
        'after all',
        'of course',
      ]
      times(17, (n) => {
        const extra = run.shuffle(filler).slice(0, run.int(3, 5))
        const core = `${run.pick(['I', 'We', 'They'])} ${run.pick(['lost', 'sold', 'hid', 'found'])} the ${run.pick(['boat', 'letters', 'old house', 'ring'])} ${run.pick(['last night', 'in May', 'at sea'])}`
        let text = ''
        do {
          text = [core, ...extra].join(', ')
          extra.pop()
          const fits = text.length <= 42
          run.step(
            '',
            json(
              'set_cue',
              { episode: 4, cue: 30 + n * 3, text },
              fits
                ? { accepted: true }
                : { accepted: false, error: `Line too long: ${text.length} > 42` },
            ),
          )
        } while (text.length > 42)
      })
      run.step('All lines fit now.')
    },
  ),
  honest(
    {
      name: 'clauses held against the playbook',
      domain,
      why: 'Each clause is another one; that most agree with the playbook is what the client hopes for.',
      style: claude,
    },
    (run) => {
      run.prompt(
        `review the ${run.pick(COMPANIES)} MSA against our playbook clause by clause, table of deviations at the end`,
      )
      const bad: string[] = []
      times(run.int(34, 40), (n) => {
        const clause = `${1 + Math.floor(n / 4)}.${1 + (n % 4)}`
        const deviates = run.chance(0.15)
        if (deviates) bad.push(clause)
        run.step(
          '',
          mcp(
            'mcp__contracts__compare_clause',
            { document: 'msa.docx', clause, playbook: 'vendor-2026' },
            deviates
              ? `Clause ${clause}: deviation (${run.pick(['uncapped liability', 'auto-renewal 24 months', 'assignment without consent', 'governing law NY'])}).`
              : `Clause ${clause}: no deviation.`,
          ),
        )
      })
      run.step(`There are ${bad.length} deviations: ${bad.join(', ')}.`)
    },
  ),
  honest(
    {
      name: 'a docket found by narrowing down',
      domain,
      why: 'Some searches find nothing and some too much; each tells which court, year and spelling are right.',
      style: openAi,
    },
    (run) => {
      const party = run.pick(COMPANIES)
      run.prompt(
        `find the case where ${party} sued its insurer after a fire, sometime 2008-2014, I think in the north`,
      )
      const courts = ['Leeds', 'York', 'Hull', 'Durham', 'Newcastle', 'Carlisle', 'Lancaster']
      each(courts, (court) =>
        run.step(
          '',
          json(
            'search_dockets',
            { party, court, years: '2008-2014' },
            { hits: court === 'Durham' ? run.int(40, 90) : 0, took: run.int(20, 300) },
          ),
        ),
      )
      each(range(7), (n) =>
        run.step(
          n ? '' : 'Durham it is. Now the year.',
          json(
            'search_dockets',
            { party, court: 'Durham', years: String(2008 + n) },
            { hits: n === 3 ? 6 : n === 1 ? 2 : 0, took: run.int(20, 300) },
          ),
        ),
      )
      each(['insurance', 'fire', 'indemnity', 'arson', 'policy', 'coverage'], (word) =>
        run.step(
          '',
          json(
            'search_dockets',
            { party, court: 'Durham', years: '2011', text: word },
            {
              hits: word === 'indemnity' ? 1 : 0,
              ...(word === 'indemnity' ? { ids: ['2011-CV-0418'] } : {}),
            },
          ),
        ),
      )
      run.step(
        '',
        json(
          'open_docket',
          { id: '2011-CV-0418' },
          {
            title: `${party} v. Northern Mutual`,
            filed: '2011-05-19',
            subject: 'indemnity, warehouse blaze',
          },
        ),
      )
      run.step('It is 2011-CV-0418.')
    },
  ),
  honest(
    {
      name: 'defined terms checked for use',
      domain,
      why: 'Each search is for another term of the list; those that are never used are the result.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'which of the defined terms in spa.md are never used in the body? check all of them',
      )
      each(run.shuffle(PARTS).slice(0, run.int(27, 33)), (part) => {
        const term = `"${part.replaceAll('_', ' ')} ${run.pick(['Date', 'Event', 'Period', 'Party', 'Fee'])}"`
        run.step(
          '',
          run.chance(0.4)
            ? grep(term, 'spa.md')
            : grep(term, 'spa.md', `${run.int(100, 900)}:… within the ${term} the Seller shall …`),
        )
      })
      run.step('The list of unused terms is below.')
    },
  ),
  honest(
    {
      name: 'glossary terms sent to three reviewers',
      domain,
      why: 'Each term goes to three people; the person wants a vote on every one.',
    },
    (run) => {
      run.prompt('get a vote from ana, bo and chen on each of the 14 new terms')
      each(WORDS, (word) =>
        each(['ana', 'bo', 'chen'], (reviewer) =>
          run.step(
            '',
            plain(
              'ask_reviewer',
              { reviewer, question: `Is "${word}" translated well?` },
              run.pick([
                'yes',
                'yes',
                'yes',
                'no, I would keep the English word',
                'yes but lower case',
              ]),
            ),
          ),
        ),
      )
      run.step('All votes are in.')
    },
  ),
]
