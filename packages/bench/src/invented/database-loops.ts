import { stored } from './data.js'
import { bash, claude, json, mcp, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'
import { PARTS } from './words.js'

const domain = 'database'

export const databaseLoops: Invented[] = [
  loop(
    {
      name: 'a few queries in rotation, all empty',
      domain,
      evidentAt: 16,
      why: 'Three queries are asked again and again, and none has a row.',
      style: { ids: 'function-call-' },
    },
    (run) => {
      run.prompt(
        'Which supplier had the most late deliveries in 2023? Databases: erp (postgres), crm (sqlite).',
      )
      run.step('', stored(run, 'list_db', { db_name: 'erp' }, '["deliveries", "suppliers"]'))
      const queries = [
        "SELECT supplier_id, COUNT(*) FROM deliveries WHERE status = 'late' AND year = 2023 GROUP BY 1",
        "SELECT * FROM deliveries WHERE status ILIKE '%late%' LIMIT 10",
        'SELECT s.name FROM suppliers s JOIN deliveries d ON d.supplier_id = s.id WHERE d.delay > 0 LIMIT 5',
      ]
      run.until(128, (lap) =>
        run.step(
          lap % 7 ? '' : 'Let me query the deliveries.',
          stored(run, 'query_db', { db_name: 'erp', query: cycle(queries, lap) }, '[]'),
        ),
      )
    },
  ),
  loop(
    {
      name: 'columns made up one after another',
      domain,
      evidentAt: 12,
      why: 'The schema is never looked at; each guess at a column is answered with the same error.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('Average age of patients with type II diagnosis?')
      run.until(125, () => {
        const column = `${run.pick(['diagnosis', 'disease', 'histology', 'condition', 'icd', 'dx', 'patient', 'clinical'])}_${run.pick(['type', 'code', 'name', 'class', 'group', 'label', 'category', 'id', 'grade'])}`
        run.step(
          '',
          stored(
            run,
            'query_db',
            {
              db_name: 'clinical',
              query: `SELECT AVG(age) FROM patients WHERE "${column}" = 'II'`,
            },
            `"Postgres query exectution error (ProgrammingError): (psycopg2.errors.UndefinedColumn) column \\"${column}\\" does not exist\\nLINE 1: SELECT AVG(age) FROM patients WHERE \\"${column}\\" = 'II'\\n                                              ^\\n"`,
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'new program, same key error',
      domain,
      evidentAt: 14,
      why: 'Each program is written anew and fails to find the variable the previous one also wanted.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('Correlate the stars of repositories with their number of forks.')
      run.until(126, (lap) => {
        const key = `${run.pick(PARTS)}_${run.token(6)}`
        run.step(
          lap % 5 ? '' : 'I will process the result in Python.',
          stored(
            run,
            'execute_python',
            {
              code: `import json\nimport pandas as pd\n${run.pick(['df', 'table', 'frame', 'data'])} = pd.DataFrame(${run.pick(['locals()', 'globals()'])}['${key}'])\nprint(${run.pick(['df', 'table'])}.corr())`,
            },
            `"Execution failed with exit code 1\\nKeyError: '${key}'"`,
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'migration up and down',
      domain,
      evidentAt: 16,
      why: 'Upgrade fails on the existing table, downgrade and stamp are tried, and it fails again.',
      style: claude,
    },
    (run) => {
      run.prompt('alembic upgrade head fails on staging, please fix.')
      run.until(132, (lap) => {
        run.step(
          lap % 3 ? '' : 'Let me run the migration.',
          bash(
            'alembic upgrade head',
            `INFO  [alembic.runtime.migration] Running upgrade 3c1a90 -> 8f22d1, add invoices\nsqlalchemy.exc.ProgrammingError: (psycopg2.errors.DuplicateTable) relation "invoices" already exists`,
            1,
          ),
        )
        run.step(
          '',
          bash(
            'alembic stamp head',
            'INFO  [alembic.runtime.migration] Running stamp_revision 3c1a90 -> 8f22d1',
          ),
        )
        run.step(
          '',
          bash(
            'alembic downgrade -1',
            'INFO  [alembic.runtime.migration] Running downgrade 8f22d1 -> 3c1a90, add invoices\nsqlalchemy.exc.NotSupportedError: downgrade() does not drop "invoices"',
            1,
          ),
        )
        run.step(
          '',
          bash(
            'alembic stamp 3c1a90',
            'INFO  [alembic.runtime.migration] Running stamp_revision 8f22d1 -> 3c1a90',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'waiting for one’s own lock',
      domain,
      evidentAt: 12,
      why: 'A transaction of the same agent holds the row; trying again can never work.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Set all prices of supplier 31 to net.')
      run.step(
        '',
        mcp(
          'mysql_query',
          { sql: 'BEGIN; UPDATE prices SET kind = "net" WHERE supplier = 31', session: 'a' },
          'Query OK, 412 rows affected (0.21 sec)',
        ),
      )
      run.until(126, (lap) => {
        run.wait(50)
        run.step(
          lap % 5 ? '' : 'The table is locked, trying again.',
          mcp(
            'mysql_query',
            {
              sql: `UPDATE prices SET kind = 'net' WHERE supplier = 31${lap % 3 ? '' : ` LIMIT ${500 + lap}`}`,
              session: run.hex(4),
            },
            'ERROR 1205 (HY000): Lock wait timeout exceeded; try restarting transaction',
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'counting a table the failed load will not fill',
      domain,
      evidentAt: 14,
      why: 'The load has failed, as the first answer says, so the count cannot change.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Wait until the load job 771 has filled staging.events, then build the report.')
      run.step(
        '',
        json(
          'get_job',
          { id: 771 },
          {
            id: 771,
            state: 'FAILED',
            error: 'column "ts" is of type timestamptz but expression is of type text',
            rows: 0,
          },
        ),
      )
      run.until(128, (lap) => {
        run.wait(30)
        if (lap % 3 === 0) run.think('The table is still empty, so the load has not finished.')
        run.step(
          lap % 6 ? '' : 'Not there yet, I will wait.',
          json(
            'run_sql',
            {
              sql: run.pick([
                'SELECT COUNT(*) FROM staging.events',
                'select count(*) from staging.events;',
                'SELECT COUNT(1) AS n FROM staging.events',
              ]),
            },
            { rows: [[0]], elapsed_ms: run.int(2, 40), query_id: run.uuid() },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'index made and dropped',
      domain,
      evidentAt: 18,
      why: 'An index is created, the plan stays a sequential scan, the index is dropped, and so on.',
      style: openAi,
    },
    (run) => {
      run.prompt('The orders query is slow, speed it up.')
      run.until(135, (lap) => {
        const index = `idx_orders_${run.pick(['created', 'customer', 'status', 'region', 'total'])}_${lap}`
        run.step(
          '',
          plain('psql', { sql: `CREATE INDEX ${index} ON orders (lower(note))` }, 'CREATE INDEX'),
        )
        run.step(
          lap % 4 ? '' : 'Checking the plan.',
          plain(
            'psql',
            { sql: "EXPLAIN ANALYZE SELECT * FROM orders WHERE note ILIKE '%urgent%'" },
            `Seq Scan on orders  (cost=0.00..48213.00 rows=9 width=212) (actual time=${run.decimal(0.1, 2, 3)}..${run.decimal(800, 950, 3)} rows=31 loops=1)\n  Filter: (note ~~* '%urgent%'::text)\n  Rows Removed by Filter: 1999969\nPlanning Time: ${run.decimal(0.1, 0.4, 3)} ms\nExecution Time: ${run.decimal(800, 950, 3)} ms`,
          ),
        )
        run.step('', plain('psql', { sql: `DROP INDEX ${index}` }, 'DROP INDEX'))
      })
    },
  ),
]
