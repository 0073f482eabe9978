import { sentence } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { stems, subjects } from '../tables/names.js'
import {
  clickTimeout,
  databases,
  emptySearches,
  invalidArguments,
  noArticle,
  pageShown,
  stored,
} from '../tables/services.js'
import { searchWords } from '../tables/talk.js'
import { evidentAfter } from './evidence.js'
import { again } from './identical.js'

/** Databases, browsers, searches and helpers that give nothing, in the words of their programs. */
export const serviceLoops: readonly LoopKind[] = [
  {
    kind: 'sql-unknown-columns',
    evident: 'the seventh guess at a column that does not exist',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Which customers ordered most last year? The database is connected.')
      const database = random.pick(databases)
      const { name, key } = database.tool
      return evidentAfter(
        again(
          stage,
          () => {
            const column = `${random.pick(stems)}_${random.pick(['id', 'name', 'total', 'at'])}`
            const sql = `SELECT ${column}, count(*) FROM orders GROUP BY ${column}`
            const output = database.unknownColumn(column, sql)
            return { call: { name, args: { [key]: sql } }, output, failed: true }
          },
          9,
        ),
        7,
      )
    },
  },
  {
    kind: 'sql-nothing-in-rotation',
    evident: 'the tenth of a few queries in rotation, all of them empty',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Find the refunds of March in the database.')
      const database = random.pick(databases)
      const { name, key } = database.tool
      const queries = random
        .sample(stems, random.int(3, 4))
        .map((stem) => `SELECT * FROM refunds WHERE reason = '${stem}' AND month = 3`)
      return evidentAfter(
        again(
          stage,
          (count) => ({
            call: { name, args: { [key]: queries[count % queries.length] as string } },
            output: database.nothing,
          }),
          12,
        ),
        10,
      )
    },
  },
  {
    kind: 'stored-nothing',
    evident: 'the seventh reworded query with the same empty result, under a new name each time',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('How many businesses in the list offer wifi?')
      return evidentAfter(
        again(
          stage,
          () => {
            const query = `{"collection": "business", "filter": {"${random.pick(stems)}.${random.pick(stems)}": "${random.pick(searchWords)}"}}`
            return {
              call: { name: 'query_db', args: { db_name: 'businesses', query } },
              output: stored(random, 'query_db', '[]'),
            }
          },
          9,
        ),
        7,
      )
    },
  },
  {
    kind: 'control-clicked-again',
    evident: 'the fifth click on a control that changes nothing on the page',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Order the blue lamp in the shop that is open in the browser.')
      const label = random.pick(['Add to cart', 'Continue', 'Apply', 'Next', 'Submit'])
      const url = `https://shop.example/${random.pick(stems)}`
      const page = [
        'heading "Your order"',
        ...random.sample(subjects, 6).map((subject) => `text "${subject}"`),
        `button "${label}"`,
      ]
      const isBroken = random.chance(0.3)
      return evidentAfter(
        again(stage, () => ({
          call: {
            name: 'browser_click',
            args: { element: `${label} button`, ref: `e${random.int(2, 400)}` },
          },
          output: isBroken
            ? clickTimeout(label)
            : pageShown(
                random,
                `await page.getByRole('button', { name: '${label}' }).click();`,
                url,
                page,
              ),
          failed: isBroken,
        })),
        5,
      )
    },
  },
  {
    kind: 'helper-asked-again',
    evident: 'the sixth time a helper is asked in other words and gives the same answer',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Find out when the bridge was opened, with the help of the researcher.')
      const answer = random.pick([
        'I could not find a reliable source for the date.',
        'The page does not say when it was opened. Please provide more details.',
        'Unable to access the archive: the request was blocked.',
      ])
      return evidentAfter(
        again(
          stage,
          () => ({
            call: {
              name: 'ask_researcher',
              args: {
                request: `${random.pick(['Please', 'Now', 'Once more,', 'Kindly'])} ${random.pick(['look up', 'find', 'search for', 'determine'])} the opening date. ${sentence(random)}`,
              },
            },
            output: answer,
          }),
          8,
        ),
        6,
      )
    },
  },
  {
    kind: 'server-refuses-arguments',
    evident: 'the sixth call that a server refuses for the same missing argument',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Create the ticket for the outage in our tracker.')
      const name = random.pick(['mcp__tracker__create_issue', 'create_ticket', 'jira_create'])
      const wanted = random.pick(['project_key', 'summary', 'assignee_id'])
      return evidentAfter(
        again(stage, () => ({
          call: {
            name,
            args: { [random.pick(['title', 'body', 'text', 'data', 'issue'])]: sentence(random) },
          },
          output: invalidArguments(name, wanted),
          failed: true,
        })),
        6,
      )
    },
  },
  {
    kind: 'articles-not-there',
    evident: 'the eighth title that an encyclopedia does not know',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Who founded the company that built the tower?')
      return evidentAfter(
        again(
          stage,
          () => {
            const title = `${random.pick(subjects)} ${random.pick(subjects)} (${random.pick(stems)})`
            return { call: { name: 'Search', args: { title } }, output: noArticle(random, title) }
          },
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'web-search-empty',
    evident: 'the ninth web search that finds nothing',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Find the manual of this device on the web.')
      const output = random.pick(emptySearches)
      const name = random.pick(['web_search', 'WebSearch', 'brave_web_search', 'search'])
      return evidentAfter(
        again(
          stage,
          () => ({
            call: {
              name,
              args: { query: random.sample([...searchWords, ...stems], 4).join(' ') },
            },
            output,
          }),
          11,
        ),
        9,
      )
    },
  },
]
