import { bash, claude, codex, exec, grep, json, openAi, plain } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'documents'

export const documentHonest: Invented[] = [
  honest(
    {
      name: 'rows translated one by one',
      domain,
      why: 'Each row is another sentence, and the number of open rows falls.',
      style: openAi,
    },
    (run) => {
      run.prompt('Translate the open rows into German until none is left.')
      times(50, (n) => {
        const person = run.pick(PEOPLE)
        const [source, text] = run.pick([
          ['keeps the keys', 'behält die Schlüssel'],
          ['opens the shop', 'öffnet den Laden'],
          ['paints the fence', 'streicht den Zaun'],
          ['waters the plants', 'gießt die Pflanzen'],
          ['reads the meter', 'liest den Zähler ab'],
        ] as const)
        const time = run.int(6, 22)
        run.step(
          '',
          json(
            'next_row',
            {},
            { row: n + 1, source: `${person} ${source} at ${time}.`, pending: 50 - n },
          ),
        )
        run.step(
          '',
          json(
            'save_translation',
            { row: n + 1, text: `${person} ${text}, ${time} Uhr.` },
            { ok: true },
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'forbidden words that are not there',
      domain,
      why: 'Twenty-four different words are looked for as asked, and none is in the text.',
      style: claude,
    },
    (run) => {
      run.prompt('Make sure none of the words in banned.txt appears in the book.')
      each(run.shuffle(COMPANIES).slice(0, 24), (word) =>
        run.step('', grep(word, '/book/chapters')),
      )
      run.step('None of the words appears.')
    },
  ),
  honest(
    {
      name: 'contracts of which none needs work',
      domain,
      why: 'Every contract is another one, and the survey says that nothing is to be done.',
      style: openAi,
    },
    (run) => {
      run.prompt('Go through the 36 contracts and renew those that end this year.')
      const first = run.int(200, 800)
      times(36, (n) =>
        run.step('', plain('check_contract', { id: `C-${first + n}` }, 'ok, nothing to do')),
      )
      run.step('No contract ends this year.')
    },
  ),
  honest(
    {
      name: 'pages read by OCR',
      domain,
      why: 'Another page each time; the program is silent when all is well.',
      style: claude,
    },
    (run) => {
      run.prompt('Run OCR on the 40 pages in scans/.')
      const book = slug(run.pick(COMPANIES))
      times(40, (n) =>
        run.step(
          '',
          bash(
            `tesseract scans/${book}-${String(n + 1).padStart(2, '0')}.png out/${String(n + 1).padStart(2, '0')}`,
            '',
          ),
        ),
      )
      run.step('', bash('ls out | wc -l', '40'))
    },
  ),
  honest(
    {
      name: 'a header put on every file',
      domain,
      why: 'Forty files, one edit each, with the same message.',
      style: openAi,
    },
    (run) => {
      run.prompt('Add the license header to every source file.')
      const year = run.int(2015, 2026)
      each(PARTS, (part) =>
        run.step(
          '',
          plain(
            'edit',
            {
              filePath: `/workspace/src/${part}.ts`,
              oldString: '',
              newString: `// Copyright ${year} Acme. SPDX-License-Identifier: MIT\n`,
            },
            'Edit applied successfully.',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'minutes summarized in parallel rounds',
      domain,
      why: 'Rounds of six documents, each with another summary.',
      style: openAi,
    },
    (run) => {
      run.prompt('Summarize the minutes of all meetings.')
      times(21, (round) =>
        run.step(
          round % 5 ? '' : 'Next six.',
          ...range(6).map((n) =>
            plain(
              'summarize',
              { doc: `minutes/${2020 + Math.floor(round / 4)}-${round % 4}-${n}.md` },
              `${run.pick(PEOPLE)} and ${run.pick(PEOPLE)} agreed on ${run.pick(PARTS)}; ${run.pick(['budget', 'deadline', 'owner'])} is ${run.pick(['open', 'set', run.pick(CITIES)])}.`,
            ),
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'one word replaced in thirty chapters',
      domain,
      why: 'Each chapter is another file, and the tool answers in the same words.',
      style: { turns: true },
    },
    (run) => {
      run.prompt(
        'The hero is called Marta now, not Maria. Change it chapter by chapter and reread each.',
      )
      times(30, (n) =>
        run.step(
          '',
          plain(
            'replace_in_file',
            {
              path: `chapters/${String(n + 1).padStart(2, '0')}.md`,
              diff: `<<<<<<< SEARCH\nMaria ${run.pick(['went', 'saw', 'took', 'wrote'])}\n=======\nMarta ${run.pick(['went', 'saw', 'took', 'wrote'])}\n>>>>>>> REPLACE`,
            },
            `The content was successfully saved to chapters/${String(n + 1).padStart(2, '0')}.md.`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'one jingle in forty takes',
      domain,
      why: 'The person asked for the same jingle eight times in five voices, which is repetition on purpose.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Generate the jingle "Redpath Tea, time for you" 8 times in each of the 5 voices, I will pick the best takes.',
      )
      each(['alto', 'bass', 'child', 'radio', 'whisper'], (voice) =>
        times(8, () =>
          run.step(
            '',
            json(
              'text_to_speech',
              { text: 'Redpath Tea, time for you', voice },
              { status: 'ok', file: `take-${run.hex(8)}.wav`, seconds: Number(run.decimal(2, 3)) },
            ),
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'pictures converted in silence',
      domain,
      why: 'Each picture is another one, and convert prints nothing.',
      style: codex,
    },
    (run) => {
      run.prompt('Make webp thumbnails of all pictures, adjusting the crop by eye.')
      each(run.shuffle(PARTS).slice(0, 30), (part) =>
        run.step(
          '',
          exec(
            run,
            `convert img/${part}.png -crop ${run.int(300, 400)}x${run.int(200, 300)}+${run.int(0, 50)}+0 thumbs/${part}.webp`,
            '',
          ),
        ),
      )
    },
  ),
]
