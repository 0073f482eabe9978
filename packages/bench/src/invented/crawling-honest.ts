import { bash, claude, json, mcp, openAi, plain } from './frames.js'
import { shopFrame, two } from './noise.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PEOPLE, slug } from './words.js'

const domain = 'crawling'

const BANNER = `We value your privacy
We and our 812 partners store and access information on a device, such as unique identifiers in cookies, to process personal data. You may accept or manage your choices by clicking below, including your right to object where legitimate interest is used. These choices will be signaled to our partners and will not affect browsing data.
[MORE OPTIONS] [DISAGREE] [AGREE]
`

export const crawlingHonest: Invented[] = [
  honest(
    {
      name: 'product pages under one and the same banner',
      domain,
      why: 'Every page begins with the same consent text, but below it is another product with its price.',
      style: claude,
    },
    (run) => {
      run.prompt('get me the prices of all kettles of shop.example as csv, there are about 30')
      each(run.shuffle(COMPANIES).slice(0, run.int(24, 28)), (brand, n) => {
        const url = `https://shop.example/p/${slug(brand)}-kettle-${300 + n}`
        run.step('', {
          name: 'WebFetch',
          args: { url, prompt: 'Name, price and stock of this product' },
          output:
            BANNER +
            shopFrame(
              run,
              `# ${brand} kettle ${run.pick(['1.0', '1.2', '1.7'])} l\n**€ ${run.decimal(19, 140)}** incl. VAT\n${run.pick(['In stock', 'Only 3 left', 'Delivery in 2-4 days'])}\nArticle ${run.int(100000, 999999)}`,
            ),
        })
      })
      run.step('The CSV is below.')
    },
  ),
  honest(
    {
      name: 'a sitemap crawled with pauses as the server wants',
      domain,
      why: 'Now and then the server asks to slow down; the agent waits as long as it says and gets the next pages.',
    },
    (run) => {
      run.prompt('crawl the whole blog (sitemap.xml) and save title + date per post, be polite')
      each(range(36), (n) => {
        const url = `https://blog.example/${2019 + Math.floor(n / 6)}/${run.pick(['how', 'why', 'when', 'notes'])}-${slug(run.pick(COMPANIES))}-${n}`
        if (n % 8 === 7) {
          run.step(
            '',
            plain(
              'http_get',
              { url },
              'HTTP 429 Too Many Requests\nRetry-After: 60\n\nSlow down please.',
              true,
            ),
          )
          run.step('', plain('sleep', { seconds: 60 }, 'slept 60 s'))
        }
        run.step(
          '',
          plain(
            'http_get',
            { url },
            `HTTP 200\n<html><head><title>${run.pick(['How', 'Why', 'When'])} ${run.pick(COMPANIES)} ${run.pick(['moved', 'grew', 'failed', 'hires'])}</title></head><body><time>${2019 + Math.floor(n / 6)}-${two(1 + (n % 12))}-${two(run.int(1, 28))}</time>…</body></html>`,
          ),
        )
      })
      run.step('36 posts are saved.')
    },
  ),
  honest(
    {
      name: 'two tabs compared paragraph by paragraph',
      domain,
      why: 'The agent changes between the same two tabs all the time, and reads the next paragraph in each.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt(
        'old terms in tab 1, new terms in tab 2. compare section by section and list every change',
      )
      times(16, (n) => {
        const old = `§ ${n + 1} The user ${run.pick(['may', 'must', 'shall not'])} ${run.pick(['cancel', 'share', 'export', 'sublet'])} within ${run.int(7, 90)} days.`
        const next = run.chance(0.3) ? old.replace(/\d+ days/, `${run.int(7, 90)} days`) : old
        run.step(
          '',
          mcp(
            'browser_tabs',
            { action: 'select', index: 0 },
            '### Open tabs\n- 0: (current) Terms 2025\n- 1: Terms 2026',
          ),
        )
        run.step('', mcp('browser_evaluate', { function: `() => section(${n + 1})` }, old))
        run.step(
          '',
          mcp(
            'browser_tabs',
            { action: 'select', index: 1 },
            '### Open tabs\n- 0: Terms 2025\n- 1: (current) Terms 2026',
          ),
        )
        run.step(
          next === old ? '' : `§ ${n + 1} has changed.`,
          mcp('browser_evaluate', { function: `() => section(${n + 1})` }, next),
        )
      })
      run.step('Those are all the changes.')
    },
  ),
  honest(
    {
      name: 'addresses geocoded, with a second try in simpler words',
      domain,
      why: 'Some addresses are not found as written and are found without the floor or the number; each is another one.',
      style: openAi,
    },
    (run) => {
      run.prompt('geocode branches.csv (28 rows), if an address isnt found simplify it')
      times(28, () => {
        const street = `${run.pick(PEOPLE).split(' ')[1]} ${run.pick(['Street', 'Lane', 'Road', 'Square'])} ${run.int(1, 140)}`
        const city = run.pick(CITIES)
        const found = {
          status: 'OK',
          lat: Number(run.decimal(38, 60, 5)),
          lon: Number(run.decimal(-9, 24, 5)),
        }
        const hard = run.int(0, 5)
        if (hard > 2)
          run.step(
            '',
            json(
              'geocode',
              { q: `${street}, ${run.int(1, 9)}th floor, ${city}` },
              { status: 'ZERO_RESULTS' },
            ),
          )
        if (hard > 4)
          run.step('', json('geocode', { q: `${street}, ${city}` }, { status: 'ZERO_RESULTS' }))
        run.step(
          '',
          json(
            'geocode',
            { q: hard > 4 ? `${street.replace(/ \d+$/, '')}, ${city}` : `${street}, ${city}` },
            found,
          ),
        )
      })
      run.step('All 28 branches have coordinates.')
    },
  ),
  honest(
    {
      name: 'a family tree followed from page to page',
      domain,
      why: 'The agent goes back to the parents again and again, and each child it opens is another person.',
      style: claude,
    },
    (run) => {
      run.prompt('trace the family of Elif Kaya on genea.example, 3 generations down, all children')
      const home = 'https://genea.example/p/1'
      const people = run.shuffle(PEOPLE.filter((name) => name !== 'Elif Kaya'))
      const root = `Elif Kaya (1841-1909)\nChildren: ${people.slice(0, 5).join(', ')}`
      run.step('', mcp('navigate', { url: home }, root))
      times(5, (n) => {
        const kids = people.slice(5 + n * 4, 9 + n * 4)
        const page = `${people[n]} (18${62 + n * 2}-19${run.int(10, 50)})\nParents: Elif Kaya\nChildren: ${kids.join(', ')}`
        run.step('', mcp('click', { text: people[n] }, page))
        each(kids, (kid) => {
          run.step(
            '',
            mcp(
              'click',
              { text: kid },
              `${kid} (${1884 + n * 2 + run.int(0, 14)}-19${run.int(40, 80)})\nParents: ${people[n]}\nMarried: ${run.pick(CITIES)}\nChildren: ${run.pick(['none known', 'one daughter', 'two sons'])}`,
            ),
          )
          run.step('', mcp('go_back', {}, page))
        })
        run.step('', mcp('go_back', {}, root))
      })
      run.step('The tree has three generations now.')
    },
  ),
  honest(
    {
      name: 'mirrors timed one after another',
      domain,
      why: 'The same file is asked of each mirror; some do not answer, and the fastest is wanted.',
      style: claude,
    },
    (run) => {
      run.prompt('find the fastest mirror for us, list is in mirrors.txt')
      each(run.shuffle(COMPANIES).slice(0, 26), (host) => {
        const dead = run.chance(0.3)
        run.step(
          '',
          bash(
            `curl -m 20 -so /dev/null -w '%{speed_download}' https://${slug(host)}.mirror.example/test100M`,
            dead ? '0' : String(run.int(2_000_000, 90_000_000)),
            dead ? 28 : 0,
          ),
        )
      })
      run.step('The list is sorted by speed.')
    },
  ),
]
