import { bash, claude, codex, exec, json, openAi } from './frames.js'
import { each, honest, type Invented, times } from './script.js'
import { PARTS } from './words.js'

const domain = 'database'

export const moreDatabaseHonest: Invented[] = [
  honest(
    {
      name: 'old rows deleted ten thousand at a time',
      domain,
      why: 'The statement and its answer are the same on purpose; the count between them falls until nothing is left.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'delete events older than 2 years in chunks of 10k so we dont lock the table, sleep a bit in between',
      )
      let left = run.int(250_000, 320_000)
      const total = left
      while (left > 0) {
        const part = Math.min(10_000, left)
        left -= part
        run.step(
          '',
          bash(
            `psql -c "delete from events where id in (select id from events where at < now() - interval '2 years' limit 10000)" && sleep 5`,
            `DELETE ${part}`,
          ),
        )
        if (run.chance(0.25))
          run.step(
            '',
            bash(
              `psql -tc "select count(*) from events where at < now() - interval '2 years'"`,
              ` ${left}`,
            ),
          )
      }
      run.step(`${total} rows are deleted.`)
    },
  ),
  honest(
    {
      name: 'columns widened under a busy database',
      domain,
      why: 'A lock is not granted now and then and is got at the second or third try; each table is another one.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'ALTER all id columns to bigint, lock_timeout 2s, retry if it times out, never longer locks',
      )
      each(run.shuffle(PARTS).slice(0, 18), (table) => {
        const query = `SET lock_timeout='2s'; ALTER TABLE ${table} ALTER COLUMN id TYPE bigint;`
        times(run.pick([0, 0, 1, 2]), () =>
          run.step(
            '',
            json(
              'execute_sql',
              { query },
              { error: 'canceling statement due to lock timeout', sqlstate: '55P03' },
            ),
          ),
        )
        run.step(
          '',
          json(
            'execute_sql',
            { query },
            { ok: true, command: 'ALTER TABLE', ms: run.int(40, 1900) },
          ),
        )
      })
      run.step('All ids are bigint.')
    },
  ),
  honest(
    {
      name: 'rows compared between the old and the new database',
      domain,
      why: 'Two counts for each table, nearly always equal, and the few that differ are the result.',
      style: codex,
    },
    (run) => {
      run.prompt('Compare row counts old vs new after the migration, table by table.')
      each(run.shuffle(PARTS).slice(0, 24), (table) => {
        const rows = run.int(10, 90_000)
        run.step('', exec(run, `psql -h old -Atc 'select count(*) from ${table}'`, `${rows}\n`))
        run.step(
          '',
          exec(
            run,
            `psql -h new -Atc 'select count(*) from ${table}'`,
            `${run.chance(0.08) ? rows - run.int(1, 9) : rows}\n`,
          ),
        )
      })
      run.step('The tables that differ are listed.')
    },
  ),
]
