import { claude, json, openAi, plain } from './frames.js'
import { cycle, type Invented, loop, range } from './script.js'

const domain = 'research'

export const researchLoops: Invented[] = [
  loop(
    {
      name: 'rephrased searches without a result',
      domain,
      evidentAt: 12,
      why: 'The same thing is asked in ever other words, and nothing is found.',
      style: openAi,
    },
    (run) => {
      run.prompt('Who designed the poster of the 1987 Tampere jazz weekend?')
      run.until(126, (lap) => {
        const query = run
          .shuffle([
            run.pick(['poster', 'placard', 'artwork']),
            run.pick(['designer', 'artist', 'illustrator', 'author', 'graphic designer']),
            run.pick(['Tampere', 'Tampere Finland']),
            run.pick(['jazz weekend', 'jazz festival', 'jazz happening']),
            '1987',
          ])
          .join(' ')
        run.step(
          lap % 4
            ? ''
            : run.pick([
                'Let me search for this.',
                'I will rephrase the query.',
                'Let me try a more specific query.',
                'A less specific query may help.',
              ]),
          plain(
            'web_search',
            { query },
            `Exception: No results found for query: '${query}'. Use a less specific query.`,
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'rephrased searches, the same ten links',
      domain,
      evidentAt: 14,
      why: 'Each wording brings the same links, and none of them is ever opened.',
      style: openAi,
    },
    (run) => {
      run.prompt('What was the attendance of the Harrowgate flower show in 1962?')
      const links = range(5).map((n) => ({
        rank: n + 1,
        title: `Harrowgate show ${cycle(['history', 'archive', 'tickets', 'map', 'contact'], n)}`,
        url: `https://harrowgate-show.example/${cycle(['history', 'archive', 'tickets', 'map', 'contact'], n)}`,
      }))
      run.until(126, () => {
        const query =
          `${run.pick(['Harrowgate', 'Harrowgate spring', '"Harrowgate"'])} flower show ${run.pick(['attendance', 'visitors', 'number of visitors', 'how many people', 'crowd', 'gate figures'])} ${run.pick(['1962', 'in 1962', '"1962"', 'year 1962', '1960s'])} ${run.pick(['', 'record', 'statistics', 'newspaper', 'report', 'history'])}`.trim()
        run.step(
          '',
          json(
            'search',
            { query, count: run.pick([5, 10]) },
            { results: links, took_ms: run.int(80, 900) },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a site that lets nobody in',
      domain,
      evidentAt: 14,
      why: 'Every page of the site answers 403 to this browser, and page after page is tried.',
    },
    (run) => {
      run.prompt('How many goals did the team score in 1977 according to ballstats.example?')
      run.until(125, (lap) => {
        const url = `https://${run.pick(['www.', '', 'm.', 'archive.'])}ballstats.example/${run.pick(['teams', 'seasons', 'stats', 'history', 'clubs'])}/${run.pick(['NYC', 'nyc', 'new-york', 'cosmos'])}/${run.pick(['1977', '1977.html', '77', '1977/goals', 'all-time'])}${lap % 4 ? '' : `?v=${lap}`}`
        run.step(
          lap % 3 ? '' : 'Let me try another page of the site.',
          plain(
            'visit_page',
            { url },
            `Address: ${url}\nTitle: Error 403\nViewport position: Showing page 1 of 1.\n=======================\n## Error 403\n\n\n\nEnable JavaScript and cookies to continue\n\n`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'words sought on the wrong page',
      domain,
      evidentAt: 16,
      why: 'The page does not hold the answer; one word after another is looked for on it and not found.',
    },
    (run) => {
      run.prompt(
        'In which year was the American alligator first seen west of Texas, according to the page?',
      )
      run.step(
        '',
        plain(
          'visit_page',
          { url: 'https://species.example/alligator' },
          'Address: https://species.example/alligator\nTitle: Alligator\nViewport position: Showing page 1 of 4.\n=======================\nThe alligator is a large reptile.',
        ),
      )
      run.until(128, (lap) => {
        const word = `${run.pick(['west of', 'first', 'sighting in', 'introduced', 'recorded in', 'reported', 'found'])} ${run.pick(['Texas', 'Arizona', 'California', 'Nevada', 'the west', 'New Mexico', 'Utah'])}`
        run.step(
          '',
          plain(
            'find_on_page_ctrl_f',
            { search_string: word },
            `Address: https://species.example/alligator\nTitle: Alligator\nViewport position: Showing page ${1 + (lap % 4)} of 4.\n=======================\nThe search string '${word}' was not found on this page.`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'lookups of names that do not exist',
      domain,
      evidentAt: 14,
      why: 'The encyclopedia offers the same similar titles each time and none of them is taken.',
    },
    (run) => {
      run.prompt('Were Rock Nominees Ltd and ISS in the same business?')
      run.until(125, () => {
        const name =
          `${run.pick(['Rock', 'ROCK', 'The Rock', 'R.O.C.K.'])} ${run.pick(['Nominees', 'Nominee', 'Nominated', 'Nominees Holding'])} ${run.pick(['Ltd', 'Limited', 'plc', 'Ltd.', 'Company', 'Inc', ''])} ${run.pick(['', '(company)', 'UK', '(business)', 'London'])}`.trim()
        run.step(
          `Thought: I need to search for ${name}.`,
          plain(
            'Search',
            { q: name },
            `Could not find [${name}]. Similar: ['Rock (geology)', 'Greenmail', 'Michael Ashcroft', 'Unfair prejudice in United Kingdom company law']`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'search, open, search, open the same page',
      domain,
      evidentAt: 16,
      why: 'Each search ends on the same page, which has been read many times.',
      style: claude,
    },
    (run) => {
      run.prompt('What is the maximum payload of the Zephyr 4 drone? Cite the source.')
      run.until(130, (lap) => {
        const query =
          `Zephyr 4 drone ${run.pick(['maximum payload', 'payload capacity', 'max load', 'how much can it carry', 'lift weight', 'specs payload'])} ${run.pick(['', 'kg', 'manual', 'datasheet', 'official', '2026'])}`.trim()
        run.step('', {
          name: 'WebSearch',
          args: { query },
          output: `Web search results for query: "${query}"\n\nLinks: [{"title":"Zephyr 4","url":"https://zephyr-kites.example/z4"}]`,
        })
        run.step(lap % 3 ? '' : 'Let me open the product page.', {
          name: 'WebFetch',
          args: {
            url: 'https://zephyr-kites.example/z4',
            prompt: run.pick([
              'What is the payload?',
              'Extract the maximum payload.',
              'Find any weight limit.',
              'List all specs.',
            ]),
          },
          output: run.pick([
            'The page does not state a payload. It gives the wingspan (2.1 m) and colors.',
            'No payload is mentioned; only wingspan (2.1 m) and the available colors.',
            'There is no information on payload on this page.',
          ]),
        })
      })
    },
  ),
]
