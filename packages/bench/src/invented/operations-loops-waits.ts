import { bash, claude, gemini, json, mcp, openAi, plain, shell } from './frames.js'
import { ticker, timeOf } from './noise.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'operations'

export const waitLoops: Invented[] = [
  loop(
    {
      name: 'a download that ends at the same byte',
      domain,
      evidentAt: 11,
      why: 'The file on the server is cut off; every tool and flag ends with the same number of bytes missing.',
      style: claude,
    },
    (run) => {
      run.prompt('get rootfs.img from the vendor site')
      const url = 'https://vendor.example/bsp/rootfs.img'
      run.until(72, (lap) => {
        const command = run.pick([
          `curl -LO ${url}`,
          `curl -L --retry 3 -o rootfs.img ${url}`,
          `curl -L -C - -O ${url}`,
          `curl --http1.1 -LO ${url}`,
          `curl -L --limit-rate ${run.int(1, 9)}M -O ${url}`,
          `rm -f rootfs.img && curl -LO ${url}`,
        ])
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'The connection broke, I try again.',
                'I will resume the download.',
                'Let me start over.',
              ]),
          bash(
            command,
            `  % Total    % Received % Xferd  Average Speed   Time\n 82  1024M   82   840M    0     0  ${run.decimal(3, 30, 1)}M      0  0:0${run.int(0, 2)}:${run.int(10, 59)}\ncurl: (18) transfer closed with 192937984 bytes remaining to read`,
            18,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a finished export asked for in three ways',
      domain,
      evidentAt: 15,
      why: 'The first answer says that it succeeded and where the file is; three tools are asked about it in turn ever since.',
      style: openAi,
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('kick off the export dag and tell me where the file is')
      run.step(
        '',
        json('trigger_dag', { dag: 'export_daily' }, { run: 'manual-1', state: 'queued' }),
      )
      run.until(74, (lap) =>
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick([
                'Let me verify the state.',
                'I want to be sure that it is done.',
                'Checking once more.',
              ]),
          cycle(
            [
              json(
                'get_dag_run',
                { dag: 'export_daily', run: 'manual-1' },
                { state: 'success', output: 's3://exports/daily.parquet', checked: clock() },
              ),
              json(
                'list_task_instances',
                { run: 'manual-1' },
                {
                  tasks: [
                    { id: 'dump', state: 'success' },
                    { id: 'upload', state: 'success' },
                  ],
                  checked: clock(),
                },
              ),
              json(
                'get_task_log',
                { run: 'manual-1', task: 'upload', lines: run.pick([5, 10, 20, 50]) },
                {
                  log: 'uploaded s3://exports/daily.parquet\nTask exited with return code 0',
                  checked: clock(),
                },
              ),
            ],
            lap,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a password that nobody types',
      domain,
      evidentAt: 11,
      why: 'Everything is tried with sudo, which asks for a password on a terminal that is not there.',
      style: gemini,
    },
    (run) => {
      run.prompt(run.pick(['installier nginx und starte es', 'install nginx and start it']))
      run.until(72, (lap) => {
        const command = `${run.pick(['sudo', 'sudo -E', 'sudo bash -c', 'sudo -u root', 'sudo -i'])} ${run.pick(['apt-get install -y nginx', 'apt install nginx', 'systemctl start nginx', 'dpkg -i nginx.deb', 'snap install nginx', 'service nginx start', 'apt-get update'])}`
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick(['I need root for this.', 'Let me try another command.', '']),
          shell(
            run,
            command,
            'sudo: a terminal is required to read the password; either use the -S option to read from standard input or configure an askpass helper\nsudo: a password is required',
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a queue with nobody to work on it',
      domain,
      evidentAt: 22,
      why: 'The first look says that no runner has the label; the position in the queue does not change for an hour.',
      style: claude,
    },
    (run) => {
      const clock = ticker(run, 120, 130)
      run.prompt('trigger the arm64 build and send me the artifact')
      run.step(
        '',
        mcp(
          'mcp__ci__trigger',
          { pipeline: 'arm64' },
          'queued as #4471. warning: 0 runners online match labels [arm64, gpu]',
        ),
      )
      run.until(73, (lap) => {
        run.wait(120)
        run.step(
          (lap + 1) % 6
            ? ''
            : run.pick(['Still queued.', 'It should start soon.', 'Waiting for a runner.']),
          mcp(
            'mcp__ci__status',
            { build: 4471 },
            `#4471 queued, position 1, 0 matching runners online, as of ${timeOf(clock())}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a log of a service that has stopped',
      domain,
      evidentAt: 16,
      why: 'The last line says that the service went down; the tail is read with ever other numbers of lines and filters.',
      style: openAi,
    },
    (run) => {
      run.prompt('why are there no new orders since noon? check the order service logs')
      const last = `12:0${run.int(1, 9)}:14 INFO shutting down (SIGTERM from operator)`
      run.until(73, (lap) => {
        const lines = run.int(1, 60) * 5
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'No new lines yet.',
                'Let me look at the latest entries.',
                'Maybe there is something newer now.',
              ]),
          plain(
            'tail_log',
            {
              service: 'orders',
              lines,
              ...(run.chance(0.4) ? { since: `${run.int(1, 59)}m` } : {}),
              ...(run.chance(0.3) ? { level: run.pick(['INFO', 'DEBUG', 'ALL']) } : {}),
            },
            `12:00:58 INFO order 55102 accepted\n12:00:59 INFO order 55103 accepted\n${last}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'approval asked for after it was denied',
      domain,
      evidentAt: 13,
      why: 'The change was denied because of the freeze until Monday; new requests with other reasons get the same answer.',
      style: { ids: 'toolu_bdrk_01', clock: true },
    },
    (run) => {
      run.prompt('get the index change into prod today, you need an approval from the change board')
      run.until(74, () => {
        const id = `CHG${run.int(100000, 999999)}`
        run.step(
          run.pick(['', 'I will give a better reason.', 'Let me describe the risk more clearly.']),
          json(
            'request_change',
            {
              summary: `${run.pick(['Add index on', 'Index for', 'New index:'])} orders(${run.pick(['created_at', 'customer_id, created_at'])})`,
              risk: run.pick(['low', 'very low', 'none', 'minimal']),
              reason: run.pick([
                'slow dashboard',
                'customers complain about waiting',
                'reads take 9 s',
                'requested by sales',
                'performance',
              ]),
              window: `${run.int(17, 23)}:00`,
            },
            { id, state: 'submitted' },
          ),
        )
        run.step(
          '',
          json(
            'get_change',
            { id },
            {
              id,
              state: 'denied',
              by: 'change-board-bot',
              comment: 'Change freeze until Monday 06:00. No exceptions.',
            },
          ),
        )
      })
    },
  ),
]
