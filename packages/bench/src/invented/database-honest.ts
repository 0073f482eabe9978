import { stored } from './data.js'
import { bare, bash, claude, json, openAi, plain, shell } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, PARTS, PEOPLE } from './words.js'

const domain = 'database'

export const databaseHonest: Invented[] = [
  honest(
    {
      name: 'records fetched by id',
      domain,
      why: 'One schema, but another record each time.',
      style: openAi,
    },
    (run) => {
      run.prompt('Export the 45 customers in ids.txt through the CRM API.')
      times(45, () => {
        const id = run.int(1000, 9999)
        const person = run.pick(PEOPLE)
        run.step(
          '',
          json(
            'get_customer',
            { id },
            {
              id,
              name: person,
              city: run.pick(CITIES),
              active: run.chance(0.8),
              segment: run.pick(['A', 'B', 'C']),
              tags: [],
            },
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'a table read page by page',
      domain,
      why: 'The offset moves on and the rows are new.',
      style: openAi,
    },
    (run) => {
      run.prompt('Read all rows of audit_log and look for logins at night.')
      times(30, (n) =>
        run.step(
          '',
          json(
            'run_sql',
            { sql: `SELECT * FROM audit_log ORDER BY id LIMIT 50 OFFSET ${n * 50}` },
            {
              rows: range(6).map((row) => [
                n * 50 + row,
                run.pick(PEOPLE),
                `${run.int(0, 23)}:${run.int(10, 59)}`,
              ]),
              row_count: 50,
            },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'rows counted table by table',
      domain,
      why: 'Each table is another one; many are empty and that is worth knowing.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('Which of our tables are empty? Check all of them.')
      each(PARTS, (part) =>
        run.step(
          '',
          stored(
            run,
            'query_db',
            { db_name: 'erp', query: `SELECT COUNT(*) AS n FROM ${part}` },
            `[{"n": ${run.chance(0.6) ? 0 : run.int(1, 90000)}}]`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'a backfill in batches',
      domain,
      why: 'The same statement moves a thousand rows each time until none is left.',
      style: claude,
    },
    (run) => {
      run.prompt('Backfill orders.currency in batches of 1000 to keep the locks short.')
      times(38, (n) =>
        run.step(
          n % 10 ? '' : 'Going on.',
          bash(
            'psql shop -c "UPDATE orders SET currency = \'EUR\' WHERE id IN (SELECT id FROM orders WHERE currency IS NULL LIMIT 1000)"',
            'UPDATE 1000',
          ),
        ),
      )
      run.step(
        '',
        bash(
          'psql shop -c "UPDATE orders SET currency = \'EUR\' WHERE id IN (SELECT id FROM orders WHERE currency IS NULL LIMIT 1000)"',
          `UPDATE ${run.int(20, 900)}`,
        ),
      )
      run.step(
        '',
        bash(
          'psql shop -c "SELECT COUNT(*) FROM orders WHERE currency IS NULL"',
          ' count \n-------\n     0\n(1 row)',
        ),
      )
    },
  ),
  honest(
    {
      name: 'checks that should find nothing',
      domain,
      why: 'Thirty different rules are checked as asked, and an empty answer means the data is good.',
      style: { ids: 'function-call-' },
    },
    (run) => {
      run.prompt('Run the data quality rules in rules.yaml one by one, report violations.')
      each(run.shuffle(PARTS).slice(0, 30), (part) =>
        run.step(
          '',
          stored(
            run,
            'query_db',
            {
              db_name: 'erp',
              query: `SELECT id FROM ${part} WHERE ${run.pick(['amount < 0', 'created_at > now()', 'owner IS NULL', "email NOT LIKE '%@%'", 'parent_id = id'])}`,
            },
            run.chance(0.92) ? '[]' : `[{"id": ${run.int(1, 9000)}}]`,
          ),
        ),
      )
      run.step('Two rules are violated.')
    },
  ),
  honest(
    {
      name: 'a schema learned by errors',
      domain,
      why: 'A few queries fail, each for another reason, and each teaches something about the schema.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('How many articles per author were published in 2022?')
      run.step('', stored(run, 'list_db', { db_name: 'press' }, '["article", "person", "byline"]'))
      const tries: [string, string, boolean][] = [
        ['SELECT author FROM article LIMIT 3', '"column \\"author\\" does not exist"', true],
        [
          "SELECT column_name FROM information_schema.columns WHERE table_name = 'article'",
          '[{"column_name": "id"}, {"column_name": "head"}, {"column_name": "day"}]',
          false,
        ],
        [
          'SELECT day FROM article LIMIT 3',
          '[{"day": "12.03.2022"}, {"day": "March 4th 2021"}]',
          false,
        ],
        [
          'SELECT EXTRACT(year FROM day) FROM article',
          '"function extract(unknown, text) does not exist"',
          true,
        ],
        [
          'SELECT RIGHT(day, 4) AS y, COUNT(*) FROM article GROUP BY 1',
          '[{"y": "2022", "count": 811}, {"y": "2021", "count": 790}]',
          false,
        ],
        ['SELECT * FROM byline LIMIT 2', '[{"a": 1, "p": 9}, {"a": 2, "p": 9}]', false],
        ['SELECT name FROM person LIMIT 2', '"column \\"name\\" does not exist"', true],
        [
          'SELECT * FROM person LIMIT 1',
          '[{"id": 9, "given": "Rosa", "family": "Jimenez"}]',
          false,
        ],
        [
          "SELECT p.family, COUNT(*) FROM article a JOIN byline b ON b.a = a.id JOIN person p ON p.id = b.p WHERE RIGHT(a.day, 4) = '2022'",
          '"column \\"p.family\\" must appear in the GROUP BY clause"',
          true,
        ],
      ]
      each(tries, ([query, result, failed]) =>
        run.step('', stored(run, 'query_db', { db_name: 'press', query }, result, failed)),
      )
      times(14, (n) =>
        run.step(
          '',
          stored(
            run,
            'query_db',
            {
              db_name: 'press',
              query: `SELECT p.family, COUNT(*) FROM article a JOIN byline b ON b.a = a.id JOIN person p ON p.id = b.p WHERE RIGHT(a.day, 4) = '2022' GROUP BY 1 ORDER BY 1 LIMIT 20 OFFSET ${n * 20}`,
            },
            JSON.stringify(
              range(3).map(() => ({
                family: run.pick(PEOPLE).split(' ')[1],
                count: run.int(1, 60),
              })),
            ),
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'rows inserted one by one',
      domain,
      why: 'Each statement adds another row and is confirmed in the same words.',
      style: bare,
    },
    (run) => {
      run.prompt('Enter the members on the photo of the list into the database.')
      each(run.shuffle(PEOPLE), (person) =>
        run.step(
          '',
          plain(
            'psql',
            {
              sql: `INSERT INTO members (name, city, since) VALUES ('${person}', '${run.pick(CITIES)}', ${run.int(1990, 2025)})`,
            },
            'INSERT 0 1',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'migrations applied in order',
      domain,
      why: 'Each migration is another one and is reported in the same form.',
      style: { clock: true },
    },
    (run) => {
      run.prompt('Apply the pending migrations one at a time and stop at the first error.')
      each(run.shuffle(PARTS).slice(0, 25), (part, n) =>
        run.step(
          '',
          shell(
            run,
            `python manage.py migrate ${part} 00${String(n + 10)}`,
            `Operations to perform:\n  Target specific migration: 00${n + 10}_${part}, from ${part}\nRunning migrations:\n  Applying ${part}.00${n + 10}_${part}... OK`,
          ),
        ),
      )
    },
  ),
]
