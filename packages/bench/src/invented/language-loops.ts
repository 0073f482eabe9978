import { bare, bash, claude, edit, json, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'
import { COMPANIES, PEOPLE } from './words.js'

const domain = 'language'

export const languageLoops: Invented[] = [
  loop(
    {
      name: 'a translation without its placeholder',
      domain,
      evidentAt: 11,
      why: 'The check asks for {count} in each answer, and each new wording leaves it out again.',
      style: openAi,
    },
    (run) => {
      run.prompt('translate string 8812 to french, the QA must pass')
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'A more natural wording:',
                'Let me rephrase it.',
                'I will try a shorter one.',
              ]),
          json(
            'submit_translation',
            {
              key: 8812,
              locale: 'fr',
              text: `${run.pick(['Vous avez', 'Il y a', 'Il vous reste', 'Nous avons trouvé'])} ${run.pick(['plusieurs', 'des', 'quelques', 'de nombreux'])} ${run.pick(['messages', 'nouveaux messages', 'messages non lus', 'courriers'])}${run.pick(['', '.', ' dans votre boîte', ' à lire'])}`,
            },
            {
              accepted: false,
              qa: [
                {
                  rule: 'placeholders',
                  severity: 'error',
                  message: 'Placeholder {count} is missing in the target.',
                },
              ],
              job: run.int(1e6, 9e6),
            },
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a clause redrafted with the same gap',
      domain,
      evidentAt: 13,
      why: 'The reviewer wants an amount as a cap; every draft is worded anew and has none.',
      style: claude,
    },
    (run) => {
      run.prompt('redraft 14.2 (limitation of liability) until legal-lint is happy')
      let before = 'The Supplier is liable without limit.'
      run.until(76, (lap) => {
        const clause = `${run.pick(['The Supplier', 'Supplier', 'Each party'])} ${run.pick(['shall not be liable', 'is not responsible', 'accepts no liability', 'excludes liability'])} for ${run.pick(['indirect', 'consequential', 'special', 'incidental'])} ${run.pick(['loss', 'damage', 'damages'])} ${run.pick(['arising hereunder', 'under this Agreement', 'howsoever caused', 'in connection herewith'])}${run.pick(['.', ', save for fraud.', ', to the extent permitted by law.'])}`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'Here is a tighter version.',
                'I strengthen the wording.',
                'Another draft:',
              ]),
          edit('/deal/msa.md', before, clause),
        )
        before = clause
        run.step(
          '',
          bash(
            'legal-lint msa.md --clause 14.2',
            `14.2  LL-07  no monetary cap stated (expected an amount or a share of the fees)\n1 finding, ${run.int(80, 400)} ms`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a judgment that does not exist',
      domain,
      evidentAt: 14,
      why: 'The citation is made up; spelling after spelling of it is looked up and nothing is there.',
      style: openAi,
    },
    (run) => {
      const [one, other] = [run.pick(PEOPLE).split(' ')[1], run.pick(COMPANIES)]
      run.prompt(`pull ${one} v. ${other}, 412 F.3d 881, and quote the holding`)
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick([
                'The reporter may abbreviate it.',
                'Let me try the docket name.',
                'Perhaps another series.',
              ]),
          plain(
            run.pick(['case_search', 'case_search', 'lookup_citation']),
            {
              q: run.pick([
                `${one} v. ${other}`,
                `${one} v ${other.split(' ')[0]}`,
                `In re ${other}`,
                `412 F.${run.pick(['2d', '3d', '4th'])} ${run.int(870, 899)}`,
                `${other} ${one} ${run.int(2001, 2009)}`,
                `"${one}" "${other}" ${run.pick(['appeal', '9th Cir.', 'negligence', 'contract'])}`,
              ]),
            },
            run.pick([
              'No cases found.',
              '0 results',
              'No cases found.\nTip: check the spelling of the parties.',
            ]),
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'three pages of a contract in circles',
      domain,
      evidentAt: 18,
      why: 'Pages 3, 11 and the annex are opened over and over, each time with the same text, and no word of the memo is written.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('schreib ein kurzes memo zur kündigungsfrist, vertrag.pdf, 2 absätze reichen')
      const pages = [3, 11, 27]
      const texts = [
        '§ 4 Die Kündigung richtet sich nach Anlage 2.',
        '§ 9 Fristen siehe § 4.',
        'Anlage 2 (entfallen, siehe § 9)',
      ]
      run.until(75, (lap) => {
        const at = run.int(0, 2)
        run.step(
          run.pick([
            '',
            'Ich prüfe die Stelle noch einmal.',
            'Zur Sicherheit lese ich nochmals nach.',
            '',
          ]),
          plain(
            'open_page',
            {
              file: 'vertrag.pdf',
              page: pages[at],
              ...(run.chance(0.3) ? { zoom: run.pick([100, 125, 150]) } : {}),
            },
            `--- Seite ${pages[at]} von 31 ---\n${texts[at]}\nSeite ${pages[at]}`,
          ),
        )
        if (lap % 6 === 5)
          run.step(
            '',
            plain(
              'list_bookmarks',
              { file: 'vertrag.pdf' },
              '§ 4 (S. 3), § 9 (S. 11), Anlage 2 (S. 27)',
            ),
          )
      })
    },
  ),
  loop(
    {
      name: 'clauses of one text under new numbers',
      domain,
      evidentAt: 9,
      why: 'The contract goes on for ever with the same sentence, only the number of the clause is raised.',
      style: bare,
    },
    (run) => {
      run.prompt('draft the general terms for a boat rental, about two pages')
      const party = run.pick(['Renter', 'Lessee', 'Charterer'])
      run.until(74, (lap) =>
        run.step(
          lap < 4
            ? `${lap + 1}.1 ${cycle(['These terms govern the rental of boats by the Owner.', `The ${party} must hold a licence for coastal waters.`, 'The deposit is due before the boat is handed over.', 'Fuel is not part of the price and is charged by use.'], lap)}\n\n`
            : `5.${lap - 3} The ${party} shall return the boat in the condition in which it was received and shall be liable for any damage that occurs during the rental period.\n\n`,
        ),
      )
    },
  ),
  loop(
    {
      name: 'a subtitle line for ever',
      domain,
      evidentAt: 8,
      why: 'The translation of the film is stuck on two lines, which follow one another with later and later times.',
      style: bare,
    },
    (run) => {
      run.prompt('übersetze die srt ins deutsche, komplett')
      const start = run.int(200, 500)
      const lines = run.pick([
        ['Ich weiß es nicht.', 'Doch, du weißt es.'],
        ['Komm zurück!', 'Ich kann nicht.'],
        ['Vielen Dank.', 'Bis zum nächsten Mal.'],
      ])
      run.until(72, (lap) => {
        const at = (lap * 3) % 60
        const minute = 10 + Math.floor((lap * 3) / 60)
        run.step(
          `${start + lap}\n00:${minute}:${String(at).padStart(2, '0')},000 --> 00:${minute}:${String(at + 2).padStart(2, '0')},500\n${cycle(lines, lap)}\n\n`,
        )
      })
    },
  ),
  loop(
    {
      name: 'two spellings of one name in turn',
      domain,
      evidentAt: 12,
      why: 'The glossary wants one spelling and the style guide the other; each fix is accepted and calls for the other.',
      style: claude,
    },
    (run) => {
      run.prompt('make both checks green for the dutch site')
      run.until(75, (lap) => {
        const [from, to] = lap % 2 ? ['web site', 'website'] : ['website', 'web site']
        run.step(
          run.pick(['', `It has to be ${to}.`, 'I correct the spelling.']),
          edit('content/nl/home.md', `onze ${from}`, `onze ${to}`),
        )
        run.step(
          '',
          bash(
            'npm run -s check:terms; npm run -s check:style',
            lap % 2
              ? `terms: home.md:14 use "web site"\nstyle: ok (${run.int(200, 900)} ms)`
              : `terms: ok\nstyle: home.md:14 use "website" (${run.int(200, 900)} ms)`,
            1,
          ),
        )
      })
    },
  ),
]
