import { bash, claude, codex, exec, mcp, openAi, plain, shell } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'devops'

export const devopsLoops: Invented[] = [
  loop(
    {
      name: 'waiting for an image that cannot be pulled',
      domain,
      evidentAt: 12,
      why: 'The pod says ImagePullBackOff from the start; waiting will not make the image appear.',
      style: claude,
    },
    (run) => {
      run.prompt('Deploy web and wait until it is ready.')
      run.step('', bash('kubectl apply -f web.yaml', 'deployment.apps/web configured'))
      const pod = `web-${run.hex(10)}-${run.token(5).toLowerCase()}`
      run.until(126, (lap) => {
        const seconds = run.pick([10, 15, 20, 30])
        run.wait(seconds)
        run.step(
          lap % 4
            ? ''
            : run.pick([
                'Not ready yet, waiting a bit more.',
                'Still starting.',
                'I will check again.',
              ]),
          bash(
            `sleep ${seconds}; kubectl get pods -l app=web`,
            `NAME                    READY   STATUS             RESTARTS   AGE\n${pod}   0/1     ImagePullBackOff   0          ${Math.floor(lap / 3)}m${run.int(1, 59)}s`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a state lock that nobody will release',
      domain,
      evidentAt: 10,
      why: 'The lock is from a run that died last week; it must be released, not waited for.',
      style: codex,
    },
    (run) => {
      run.prompt('Apply the terraform changes.')
      run.until(125, (lap) => {
        run.wait(20)
        run.step(
          lap % 4 ? '' : 'Someone is holding the lock, retrying.',
          exec(
            run,
            `terraform apply -auto-approve${lap % 3 ? '' : ` -lock-timeout=${run.int(1, 9)}0s`}`,
            '╷\n│ Error: Error acquiring the state lock\n│ \n│ Error message: ConditionalCheckFailedException: The conditional request failed\n│ Lock Info:\n│   ID:        6b1d2c11-94f0-4c7e-8d6e-3b1f5b9b21aa\n│   Operation: OperationTypeApply\n│   Who:       ci@runner-14\n│   Created:   2026-08-21 03:11:02.118 +0000 UTC\n╵\n',
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a finished run polled on',
      domain,
      evidentAt: 10,
      why: 'The run is completed with a failure; it will not become a success by being looked at.',
      style: claude,
    },
    (run) => {
      run.prompt('Watch run 9917 until it is green, then merge.')
      run.until(124, (lap) => {
        run.wait(30)
        run.step(
          lap % 5 ? '' : 'Let me check the run.',
          bash(
            `gh run view 9917 --json status,conclusion,updatedAt${run.pick(['', ',url', ',headSha'])}`,
            `{"conclusion":"failure","status":"completed","updatedAt":"2026-09-01T08:14:22Z"${run.chance(0.4) ? `,"headSha":"4f1c${'0a'.repeat(3)}"` : ''}}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a rolled back stack with new request ids',
      domain,
      evidentAt: 12,
      why: 'The stack is in ROLLBACK_COMPLETE; only request ids and times differ between the answers.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Create the stack and tell me the load balancer address.')
      run.until(126, (lap) => {
        run.wait(15)
        run.step(
          lap % 6 ? '' : 'The stack is still being created.',
          mcp(
            'aws_cli',
            { command: 'aws cloudformation describe-stacks --stack-name edge', nonce: run.hex(8) },
            JSON.stringify({
              Stacks: [{ StackName: 'edge', StackStatus: 'ROLLBACK_COMPLETE', Outputs: [] }],
              ResponseMetadata: {
                RequestId: run.uuid(),
                HTTPHeaders: {
                  date: `Tue, 01 Sep 2026 ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)} GMT`,
                },
              },
            }),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'sleep 0 and look again',
      domain,
      evidentAt: 10,
      why: 'The file is looked for without any real waiting and nobody is writing it.',
      style: openAi,
    },
    (run) => {
      run.prompt('When the export is there, upload it.')
      run.until(126, (lap) => {
        run.step(
          '',
          plain(
            'bash',
            {
              command: `sleep 0; ls exports/${run.pick(['*.csv', 'today.csv', '2026*.csv', ''])} # ${run.pick(['check', 'poll', 'try'])} ${lap}`,
            },
            "ls: cannot access 'exports/': No such file or directory",
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'restart, still failing',
      domain,
      evidentAt: 14,
      why: 'The service dies of the same bad setting after every restart.',
      style: claude,
    },
    (run) => {
      run.prompt('nginx is down on web-2, bring it up.')
      run.until(130, (lap) => {
        const pid = run.int(2000, 60000)
        run.step(
          '',
          bash(
            'sudo systemctl restart nginx',
            'Job for nginx.service failed because the control process exited with error code.\nSee "systemctl status nginx.service" and "journalctl -xeu nginx.service" for details.',
            1,
          ),
        )
        run.step(
          lap % 3 ? '' : 'Let me look at its status.',
          bash(
            'systemctl status nginx --no-pager',
            `× nginx.service - A high performance web server\n     Active: failed (Result: exit-code) since Tue 2026-09-01 10:${run.int(10, 59)}:${run.int(10, 59)} UTC; ${run.int(1, 9)}s ago\n    Process: ${pid} ExecStartPre=/usr/sbin/nginx -t (code=exited, status=1/FAILURE)\nSep 01 web-2 nginx[${pid}]: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/app.conf:14`,
            3,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'up, port taken, down, up',
      domain,
      evidentAt: 14,
      why: 'Another program holds the port; taking the containers down and up does not help.',
      style: { clock: true },
    },
    (run) => {
      run.prompt('Start the stack with docker compose.')
      run.until(130, (lap) => {
        run.step(
          '',
          shell(
            run,
            'docker compose down',
            ` Container app-db-1  Removed ${run.decimal(0.1, 2, 1)}s\n Network app_default  Removed ${run.decimal(0.1, 1, 1)}s`,
          ),
        )
        run.step(
          lap % 3 ? '' : 'Starting again.',
          shell(
            run,
            `docker compose up -d${run.pick(['', ' --build', ' --force-recreate', ' --remove-orphans'])}`,
            ` Network app_default  Created\n Container app-db-1  Starting\nError response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint app-db-1 (${run.hex(64)}): Bind for 0.0.0.0:5432 failed: port is already allocated`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'upgrade and rollback',
      domain,
      evidentAt: 16,
      why: 'The chart is upgraded, fails its probe, is rolled back and upgraded unchanged again.',
      style: claude,
    },
    (run) => {
      run.prompt('Roll out api 3.1 with helm.')
      run.until(126, (lap) => {
        run.step(
          lap % 3 ? '' : 'Rolling out once more.',
          bash(
            'helm upgrade api ./chart --set image.tag=3.1 --wait --timeout 2m',
            'Error: UPGRADE FAILED: context deadline exceeded: Readiness probe failed: HTTP probe failed with statuscode: 500',
            1,
          ),
        )
        run.wait(120)
        run.step(
          '',
          bash(`helm rollback api ${lap * 2 + 4}`, 'Rollback was a success! Happy Helming!'),
        )
      })
    },
  ),
]
