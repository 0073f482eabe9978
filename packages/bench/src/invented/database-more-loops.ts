import { bash, claude, json, openAi, write } from './frames.js'
import { ticker } from './noise.js'
import { type Invented, loop } from './script.js'

const domain = 'database'

export const moreDatabaseLoops: Invented[] = [
  loop(
    {
      name: 'a new migration on top of two heads',
      domain,
      evidentAt: 15,
      why: 'The history has two heads that must be merged; migration after migration is written and none can be applied.',
      style: claude,
    },
    (run) => {
      run.prompt('add column vat_id to customers with alembic')
      run.until(75, (lap) => {
        const file = `migrations/versions/${run.hex(12)}_${run.pick(['add_vat_id', 'customers_vat', 'vat_column', 'add_vat', 'vat_id_again'])}.py`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'I create a fresh migration.',
                'Another revision id.',
                'Let me write it by hand.',
              ]),
          write(
            file,
            `revision = '${run.hex(12)}'\ndown_revision = '${run.pick(['a81c', '77e2', 'None'])}'\n\ndef upgrade():\n    op.add_column('customers', sa.Column('vat_id', sa.String(${run.int(8, 32)})))\n`,
          ),
        )
        run.step(
          '',
          bash(
            'alembic upgrade head',
            "INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nERROR [alembic.util.messaging] Multiple head revisions are present for given argument 'head'; please specify a specific target revision, '<branchname>@head' to narrow to a specific head, or 'heads' for all heads",
            255,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a query that always runs out of time',
      domain,
      evidentAt: 14,
      why: 'The view behind it joins everything with everything; the question is worded in other SQL and times out after the same 30 seconds.',
      style: openAi,
    },
    (run) => {
      run.prompt('how many customers bought twice last month? use v_sales')
      run.until(73, (lap) => {
        const query = `${run.pick(['SELECT count(*)', 'SELECT COUNT(DISTINCT customer)', 'SELECT customer', 'SELECT customer, count(*) AS n'])} FROM v_sales WHERE ${run.pick(["month = '2026-08'", "at >= '2026-08-01'", "at BETWEEN '2026-08-01' AND '2026-08-31'", "date_trunc('month', at) = '2026-08-01'"])} ${run.pick(['GROUP BY 1 HAVING count(*) > 1', 'GROUP BY customer HAVING count(*) >= 2', `LIMIT ${run.int(1, 500)}`, 'ORDER BY 1'])}`
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'A simpler query should be faster.',
                'Let me add a limit.',
                'I rewrite it.',
              ]),
          json(
            'run_query',
            { query, timeout: 30 },
            {
              error: 'canceling statement due to statement timeout',
              sqlstate: '57014',
              elapsed_ms: 30000 + run.int(1, 40),
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a replica that will not get there',
      domain,
      evidentAt: 20,
      why: 'Replication has stopped with an error, as every status says; the number of seconds behind only grows with the clock.',
      style: claude,
    },
    (run) => {
      const clock = ticker(run, 55, 65)
      run.prompt('wait for the replica to catch up then switch reads over')
      let behind = run.int(3000, 5000)
      run.until(73, (lap) => {
        run.wait(60)
        behind += run.int(58, 63)
        run.step(
          (lap + 1) % 6
            ? ''
            : run.pick(['Not yet.', 'It is still behind.', 'I wait another minute.']),
          bash(
            "sleep 60; mysql -h replica -e 'show replica status\\G' | egrep 'Running|Error|Behind'",
            `  Replica_IO_Running: Yes\n  Replica_SQL_Running: No\n  Last_SQL_Error: Error 1062 Duplicate entry '88121' for key 'orders.PRIMARY'\n  Seconds_Behind_Source: ${behind}\n  checked ${clock()}`,
          ),
        )
      })
    },
  ),
]
