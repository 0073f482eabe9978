import { bash, claude, codex, exec, json, mcp, openAi, plain, shell } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { COMPANIES, PARTS } from './words.js'

const domain = 'devops'

export const honestFleet: Invented[] = [
  honest(
    {
      name: 'nodes drained in turn',
      domain,
      why: 'Each node is another one, with three commands for each.',
      style: openAi,
    },
    (run) => {
      run.prompt('Do a rolling restart of all 24 nodes.')
      times(24, (n) => {
        const node = `node-${String(n + 1).padStart(2, '0')}`
        run.step(
          '',
          plain(
            'kubectl',
            { args: `drain ${node} --ignore-daemonsets` },
            `node/${node} cordoned\nnode/${node} drained`,
          ),
        )
        run.step('', plain('ssh', { host: node, command: 'sudo reboot' }, ''))
        run.step('', plain('kubectl', { args: `uncordon ${node}` }, `node/${node} uncordoned`))
      })
    },
  ),
  honest(
    {
      name: 'files copied to a bucket',
      domain,
      why: 'Each command uploads another file.',
      style: codex,
    },
    (run) => {
      run.prompt('Upload the nightly dumps one by one, the link drops on large batches.')
      each(PARTS.slice(0, 36), (part) =>
        run.step(
          '',
          exec(run, `aws s3 cp dumps/${part}.gz s3://acme-backup/nightly/ --only-show-errors`, ''),
        ),
      )
    },
  ),
  honest(
    {
      name: 'certificate pending until issued',
      domain,
      why: 'The authority takes its time; the state changes in the end.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Request the certificate and wait until it is issued, this may take half an hour.')
      times(26, () => {
        run.wait(60)
        run.step(
          '',
          json(
            'check_certificate',
            { domain: 'edge.example' },
            {
              domain: 'edge.example',
              status: 'PENDING_VALIDATION',
              checked: `2026-09-01T10:${run.int(10, 59)}:${run.int(10, 59)}Z`,
            },
          ),
        )
      })
      run.step(
        '',
        json(
          'check_certificate',
          { domain: 'edge.example' },
          { domain: 'edge.example', status: 'ISSUED' },
        ),
      )
    },
  ),
  honest(
    {
      name: 'a log followed',
      domain,
      why: 'The same command shows new lines each time.',
      style: claude,
    },
    (run) => {
      run.prompt('Watch the import log and tell me about anything unusual in the next hour.')
      times(30, (n) => {
        run.wait(120)
        run.step(
          '',
          bash(
            'tail -n 4 /var/log/import.log',
            range(4)
              .map(
                (line) =>
                  `2026-09-01T1${Math.floor(n / 10)}:${String((n * 2) % 60).padStart(2, '0')}:${10 + line} INFO imported ${run.pick(COMPANIES)} rows=${run.int(10, 9000)}`,
              )
              .join('\n'),
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'a dump that grows',
      domain,
      why: 'The size goes up at each look until the dump is complete.',
      style: { clock: true },
    },
    (run) => {
      run.prompt('Dump the database and tell me when it is done.')
      let size = 1
      times(28, (n) => {
        run.wait(45)
        size += run.int(1, 9)
        run.step(
          '',
          shell(
            run,
            'sleep 45; ls -lh /backup/shop.dump',
            `-rw-r--r-- 1 postgres postgres ${size}G Sep  1 1${Math.floor(n / 10)}:${run.int(10, 59)} /backup/shop.dump`,
          ),
        )
      })
      run.step('', shell(run, 'pgrep pg_dump', '', 1))
    },
  ),
  honest(
    {
      name: 'servers asked for their version',
      domain,
      why: 'Each server is another one, and most run the same version.',
      style: openAi,
    },
    (run) => {
      run.prompt('Which of the 32 servers still run openssl 3.0.11?')
      times(32, (n) =>
        run.step(
          '',
          plain(
            'ssh',
            {
              host: `app-${String(n + 1).padStart(2, '0')}.int.example`,
              command: 'openssl version',
            },
            run.chance(0.85)
              ? 'OpenSSL 3.0.15 3 Sep 2024 (Library: OpenSSL 3.0.15 3 Sep 2024)'
              : 'OpenSSL 3.0.11 19 Sep 2023 (Library: OpenSSL 3.0.11 19 Sep 2023)',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'a canary raised step by step',
      domain,
      why: 'More traffic each time, with a look at the metrics in between.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'Raise the canary from 0 to 100 percent in steps of five, checking errors each time.',
      )
      times(20, (n) => {
        run.step(
          '',
          mcp('mcp__mesh__set_weight', { service: 'api', canary: (n + 1) * 5 }, '{"ok":true}'),
        )
        run.wait(60)
        run.step(
          '',
          mcp(
            'mcp__prom__query',
            { query: 'sum(rate(http_requests_total{code=~"5.."}[1m]))' },
            `{"status":"success","data":{"result":[{"value":[${1756720000 + n * 60},"${run.decimal(0, 0.02, 4)}"]}]}}`,
          ),
        )
      })
    },
  ),
]
