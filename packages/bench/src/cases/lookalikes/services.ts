import { paragraph, sentence } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { people, stems, subjects } from '../tables/names.js'
import { databases, emptySearches, pageShown, record, stored } from '../tables/services.js'
import { searchWords } from '../tables/talk.js'

/** Honest work with databases, browsers, searches and helpers. */
export const serviceLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'database-explored',
    write({ random, trace }) {
      trace.prompt('Describe the database: which tables, what is in them?')
      const database = random.pick(databases)
      const { name, key } = database.tool
      for (const table of random.sample(stems, random.int(12, 20))) {
        const rows = Array.from(
          { length: random.int(1, 6) },
          (_, index) => `  ${index + 1} | ${random.pick(people)} ${random.pick(subjects)}`,
        )
        // a table may well be empty
        const output = random.chance(0.15) ? database.nothing : database.rows(rows)
        trace.step({ name, args: { [key]: `SELECT * FROM ${table} LIMIT 5` } }, output)
      }
    },
  },
  {
    kind: 'results-stored-one-by-one',
    write({ random, trace }) {
      trace.prompt('Collect the monthly totals and put them together.')
      for (let month = 1; month <= 12; month++) {
        const query = `SELECT sum(total) FROM sales WHERE month = ${month}`
        const result = JSON.stringify([{ sum: random.int(1000, 99_000) }])
        trace.step(
          { name: 'query_db', args: { db_name: 'sales', query } },
          stored(random, 'query_db', result),
        )
      }
    },
  },
  {
    kind: 'form-filled',
    write({ random, trace }) {
      trace.prompt('Fill in the registration form that is open.')
      const fields = random.sample(subjects, random.int(10, 16))
      const filled = new Map<string, string>()
      for (const field of fields) {
        const text = `${random.pick(people)} ${random.int(1, 99)}`
        filled.set(field, text)
        const page = fields.map((one) => `textbox "${one}": ${filled.get(one) ?? ''}`)
        trace.step(
          { name: 'browser_type', args: { element: field, ref: `e${random.int(2, 400)}`, text } },
          pageShown(
            random,
            `await page.getByLabel('${field}').fill('${text}');`,
            'https://shop.example/register',
            page,
          ),
        )
      }
    },
  },
  {
    kind: 'records-fetched-by-id',
    write({ random, trace }) {
      trace.prompt('Go through the tickets of this week and sum them up.')
      const name = random.pick(['get_record', 'mcp__crm__get_ticket', 'fetch_case'])
      for (let count = random.int(20, 40); count > 0; count--) {
        const id = `T-${random.int(1000, 99_999)}`
        trace.step({ name, args: { record_id: id } }, record(random, id))
      }
    },
  },
  {
    kind: 'searches-that-find-some',
    write({ random, trace }) {
      trace.prompt('Write an overview of the subject from what you find on the web.')
      const empty = random.pick(emptySearches)
      for (let count = random.int(14, 24); count > 0; count--) {
        const query = random.sample([...searchWords, ...stems], 3).join(' ')
        const output = count % 3 === 1 ? empty : `1. ${sentence(random)}\n2. ${sentence(random)}`
        trace.step({ name: 'web_search', args: { query } }, output)
      }
    },
  },
  {
    kind: 'helpers-with-different-tasks',
    write({ random, trace }) {
      trace.prompt('Review the whole repository; hand the modules out to helpers.')
      for (const stem of random.sample(stems, random.int(10, 18))) {
        trace.step(
          { name: 'Task', args: { description: `Review ${stem}`, prompt: `Review src/${stem}.` } },
          `Review of ${stem} finished. ${paragraph(random, 2)}`,
        )
      }
    },
  },
  {
    kind: 'tickets-created-one-by-one',
    write({ random, trace }) {
      trace.prompt('Create a ticket for each item of the list.')
      for (const stem of random.sample(stems, random.int(12, 24))) {
        trace.step(
          {
            name: 'mcp__tracker__create_issue',
            args: { project_key: 'OPS', summary: `Check ${stem}`, description: sentence(random) },
          },
          'Issue created successfully.',
        )
      }
    },
  },
]
