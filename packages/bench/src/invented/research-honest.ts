import { claude, json, openAi, plain } from './frames.js'
import { cycle, each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'research'

export const researchHonest: Invented[] = [
  honest(
    {
      name: 'long search with dead ends',
      domain,
      why: 'Several searches find nothing, but others do, and the trail leads to the answer.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Which ship carried the first telephone cable to Bornholm, and where was it built?',
      )
      const trail = [
        'first telephone cable Bornholm',
        'Bornholm cable 1890s ship',
        'Danish cable ship 19th century',
        'cable ship Peter Faber',
        'Peter Faber ship built where',
        'Peter Faber shipyard 1903',
        'H.C. Ørsted cable ship',
        'H.C. Ørsted cable ship 1872 builder',
        'Bornholm telephone 1899 newspaper',
        'Bornholm Telefon history pdf',
        'Burmeister Wain cable steamer list',
        'Bornholm Avis 1899 kabel',
        'Rønne telephone exchange opening',
      ]
      each(trail, (query, n) => {
        const found = n % 3 !== 1
        run.think(`${query}: this follows from what the last page said about ${run.pick(PARTS)}.`)
        run.step(
          n % 4
            ? ''
            : run.pick(['That leads to another name.', 'Following this up.', 'A new lead.']),
          plain(
            'web_search',
            { query },
            found
              ? `Search results for '${query}':\n\n1. ${run.pick(COMPANIES)}: ${query}\n   URL: https://sea.example/${slug(query)}`
              : `Exception: No results found for query: '${query}'. Use a less specific query.`,
            !found,
          ),
        )
        if (found)
          run.step(
            '',
            plain(
              'visit_page',
              { url: `https://sea.example/${slug(query)}` },
              `Address: https://sea.example/${slug(query)}\nTitle: ${query}\nViewport position: Showing page 1 of ${run.int(1, 9)}.\n=======================\nIn ${run.int(1870, 1910)} ${run.pick(PEOPLE)} wrote about ${run.pick(PARTS)} of the ship and the cable, ${run.int(20, 90)} miles long.`,
            ),
          )
      })
      run.step('It was the H.C. Ørsted, built in Copenhagen.')
    },
  ),
  honest(
    {
      name: 'a long report paged through',
      domain,
      why: 'The same page_down each time, another page of the report each time.',
    },
    (run) => {
      run.prompt('Read the annual report and collect all figures on water use.')
      times(38, (n) =>
        run.step(
          '',
          plain(
            'page_down',
            {},
            `Address: file:///report-2025.pdf\nTitle: Annual report\nViewport position: Showing page ${n + 2} of 39.\n=======================\n${range(
              4,
            )
              .map(
                () =>
                  `${run.pick(COMPANIES)} used ${run.int(100, 9000)} m³ in ${run.pick(CITIES)}.`,
              )
              .join(' ')}`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'thirty head offices',
      domain,
      why: 'One question, but another company each time.',
      style: openAi,
    },
    (run) => {
      run.prompt('Find the city of the head office of the thirty companies in the list.')
      each(COMPANIES, (company) =>
        run.step(
          '',
          json(
            'search',
            { query: `${company} head office city` },
            {
              results: [{ title: company, snippet: `${company} is based in ${run.pick(CITIES)}.` }],
            },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'links of a document checked',
      domain,
      why: 'Each link is another one; the dead ones are what the person wants to know.',
      style: claude,
    },
    (run) => {
      run.prompt('Check all 34 links in LINKS.md and list the dead ones.')
      times(34, (n) => {
        const url = `https://${slug(cycle(COMPANIES, n))}.example/${run.pick(PARTS)}`
        const dead = run.chance(0.5)
        run.step('', {
          name: 'WebFetch',
          args: { url, prompt: 'Does this page exist?' },
          output: dead
            ? 'Request failed with status code 404'
            : `Yes, the page exists and is about ${run.pick(PARTS)}.`,
          isError: dead,
        })
      })
    },
  ),
  honest(
    {
      name: 'names looked up, most unknown',
      domain,
      why: 'Twenty-six different people as asked; few of them can be found, which is the answer.',
      style: openAi,
    },
    (run) => {
      run.prompt('Are any of these people listed in the register of interpreters?')
      each(PEOPLE, (person) =>
        run.step(
          '',
          plain(
            'search_register',
            { name: person },
            run.chance(0.9) ? 'No entries found.' : `1 entry found: ${person}, ${run.pick(CITIES)}`,
          ),
        ),
      )
      run.step('Only a few of them are listed.')
    },
  ),
  honest(
    {
      name: 'papers of thirty years',
      domain,
      why: 'One year after another, and each list is different.',
      style: openAi,
    },
    (run) => {
      run.prompt('How has the number of papers on "soft robotics" grown? Year by year since 1995.')
      times(30, (n) =>
        run.step(
          '',
          json(
            'arxiv_search',
            { query: 'abs:"soft robotics"', year: 1995 + n, max_results: 3 },
            {
              total: n * n + run.int(0, 9),
              papers: range(3).map(() => ({
                id: `${run.int(1000, 2999)}.${run.int(10000, 99999)}`,
                title: `${run.pick(PARTS)} for soft ${run.pick(['grippers', 'arms', 'skins', 'valves'])}`,
              })),
            },
          ),
        ),
      )
    },
  ),
]
