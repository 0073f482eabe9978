import { bash, claude, codex, edit, exec, json, openAi, patch, plain } from './frames.js'
import { ticker } from './noise.js'
import { cycle, type Invented, loop } from './script.js'
import { PARTS } from './words.js'

const domain = 'operations'

export const changeLoops: Invented[] = [
  loop(
    {
      name: 'a workflow edited without its secret',
      domain,
      evidentAt: 21,
      why: 'The log asks for a secret that only the owner can set; the file is edited and pushed again and again.',
      style: claude,
    },
    (run) => {
      run.prompt(
        run.pick(['make the release workflow green', 'la action de release falla, arréglala']),
      )
      const clock = ticker(run, 90, 200)
      let before = '      - name: publish'
      run.until(78, () => {
        const after = `      - name: publish\n        ${run.pick([
          'permissions: write-all',
          'env: { CI: true }',
          'uses: actions/setup-node@v4',
          'shell: bash',
          'continue-on-error: false',
          'if: always()',
        ])}  # ${run.pick(['required', 'see docs', 'needed by npm', 'as in main'])}`
        run.step(
          run.pick(['', 'This should do it.', 'Let me adjust the workflow.']),
          edit('.github/workflows/release.yml', before, after),
        )
        before = after
        run.step(
          '',
          bash(
            `git commit -qam "ci: ${run.pick(['fix', 'try', 'adjust', 'repair'])} release" && git push -q`,
            '',
          ),
        )
        run.step(
          '',
          bash(
            'gh run watch --exit-status; gh run view --log-failed | tail -4',
            `publish\tRun npm publish\t${clock()} npm error code ENEEDAUTH\npublish\tRun npm publish\tnpm error need auth: secret NPM_TOKEN is empty\nrun ${run.int(1e9, 9e9)}`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a plan refused by the policy of the organization',
      domain,
      evidentAt: 16,
      why: 'Public addresses are forbidden; zones, names and sizes are changed and the address is asked for each time.',
      style: codex,
    },
    (run) => {
      run.prompt('bring up the demo vm with terraform, needs a public ip')
      const lines = { zone: 'europe-west1-b', machine_type: 'e2-large', name: 'demo' }
      run.until(76, (lap) => {
        const key = run.pick(['zone', 'machine_type', 'name'] as const)
        const before = lines[key]
        lines[key] = {
          zone: `europe-west${run.int(1, 9)}-${run.pick(['a', 'b', 'c'])}`,
          machine_type: `e2-${run.pick(['micro', 'small', 'medium', 'standard-2'])}`,
          name: `demo-${run.hex(4)}`,
        }[key]
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'Another zone may be allowed.',
                'I rename the resource.',
                'Let me use a smaller machine.',
              ]),
          patch('main.tf', `-  ${key} = "${before}"\n+  ${key} = "${lines[key]}"`),
        )
        run.step(
          '',
          exec(
            run,
            'terraform apply -auto-approve -no-color',
            `google_compute_instance.demo: Creating...\n╷\n│ Error: Error creating instance: googleapi: Error 412: Constraint constraints/compute.vmExternalIpAccess violated for project lab-77. Add instance projects/lab-77/zones/${lines.zone}/instances/${lines.name} to the constraint to use external IP with it., conditionNotMet\n╵\n`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a timeout put up and down',
      domain,
      evidentAt: 15,
      why: 'Thirty seconds and sixty seconds are set in turn, and the probe fails for another reason both times.',
      style: openAi,
    },
    (run) => {
      run.prompt('readiness of checkout keeps failing, tune the probe')
      run.until(76, (lap) => {
        const seconds = cycle([60, 30], lap)
        run.step(
          run.pick(['', `${seconds} seconds should be right.`, 'I adjust the timeout again.']),
          json(
            'patch_deployment',
            { name: 'checkout', path: 'readinessProbe.timeoutSeconds', value: seconds },
            { patched: true, generation: 40 + lap, resourceVersion: String(run.int(1e6, 9e6)) },
          ),
        )
        run.step(
          '',
          json(
            'rollout_status',
            { name: 'checkout' },
            {
              ready: '0/3',
              reason: 'HTTP probe failed with statuscode: 404 (path /healthz)',
              pod: `checkout-${run.hex(9)}-${run.token(5).toLowerCase()}`,
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'an image whose folder is never built',
      domain,
      evidentAt: 16,
      why: 'Lines of the Dockerfile are put in another order; the folder that it copies is ignored and missing each time.',
      style: codex,
    },
    (run) => {
      run.prompt('docker build . fails')
      let before = 'COPY . .'
      run.until(76, () => {
        const after = `${run.pick(['WORKDIR /srv', 'COPY package*.json ./', 'RUN npm ci --omit=dev', 'ENV NODE_ENV=production', 'USER node', 'COPY --chown=node . .'])}  # ${run.pick(['cache', 'layer', 'smaller', 'order', 'safe'])}`
        run.step(
          run.pick(['', 'Let me restructure the Dockerfile.', 'The order of the layers matters.']),
          patch('Dockerfile', `-${before}\n+${after}`),
        )
        before = after
        run.step(
          '',
          exec(
            run,
            'docker build . 2>&1 | tail -12',
            `#${run.int(5, 19)} [${run.int(2, 9)}/9] COPY dist /app/dist\n#${run.int(5, 19)} ERROR: failed to calculate checksum of ref ${run.token(25).toLowerCase()}::${run.token(25).toLowerCase()}: "/dist": not found\n------\nERROR: failed to solve: failed to compute cache key: "/dist": not found (excluded by .dockerignore)\n`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a command that the person refuses, in other clothes',
      domain,
      evidentAt: 9,
      why: 'The person has refused to let the volume be deleted, and the agent asks for the same thing by another command.',
      style: claude,
    },
    (run) => {
      run.prompt('disk on ci-2 is full, look what can be done')
      run.step(
        '',
        bash(
          'df -h /var/lib/docker',
          'Filesystem  Size  Used Avail Use% Mounted on\n/dev/sdb1   200G  198G  2.0G  99% /var/lib/docker',
        ),
      )
      run.until(71, (lap) => {
        const volume = 'ci-cache'
        const command = run.pick([
          `docker volume rm ${volume}`,
          `docker volume rm -f ${volume}`,
          `docker volume prune --filter label=${volume} -f`,
          `rm -rf /var/lib/docker/volumes/${volume}`,
          `sudo find /var/lib/docker/volumes/${volume} -delete`,
          `docker system prune --volumes -f # ${volume}`,
        ])
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'The volume has to go.',
                'I will remove it another way.',
                'Let me free the space.',
              ]),
          {
            name: 'Bash',
            args: {
              command,
              description: run.pick(['Free disk space', 'Remove cache volume', 'Clean up']),
            },
            output:
              "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
            isError: true,
          },
        )
      })
    },
  ),
  loop(
    {
      name: 'deploys that always end with the old version',
      domain,
      evidentAt: 16,
      why: 'The tag is pinned in another repository; deploy after deploy is reported as done and shows the old version.',
    },
    (run) => {
      run.prompt('get 3.2.0 of mailer live')
      const clock = ticker(run)
      run.until(75, (lap) => {
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'Deploying again.',
                'The deployment may not have been picked up.',
                'I force it this time.',
              ]),
          plain(
            'deploy',
            {
              service: 'mailer',
              version: '3.2.0',
              ...run.pick([
                {},
                { force: true },
                { strategy: 'recreate' },
                { strategy: 'rolling' },
                { no_cache: true },
              ]),
            },
            `Deployment d-${run.hex(6)} finished at ${clock()}.`,
          ),
        )
        run.step(
          '',
          plain(
            'http_get',
            { url: 'https://mailer.example/version' },
            `{"version":"3.1.4","pinned_by":"gitops/prod/mailer.yaml","uptime":${run.int(20, 900)}}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'no room left on the device',
      domain,
      evidentAt: 12,
      why: 'Every command needs to write and fails for the same reason; nothing is deleted.',
      style: codex,
    },
    (run) => {
      run.prompt('install the profiler and profile the api for a minute')
      run.until(72, () => {
        const part = run.pick(PARTS)
        const command = run.pick([
          'pip install py-spy',
          `pip install --target /opt/${part} py-spy`,
          'npm i -g clinic',
          `cargo install ${run.pick(['flamegraph', 'samply'])}`,
          `TMPDIR=/var/tmp/${part} pip install py-spy`,
          `curl -LO https://dl.example/py-spy-${run.int(1, 9)}.tgz`,
          `mkdir -p /srv/${part} && cd /srv/${part} && pip download py-spy`,
        ])
        run.step(
          run.pick(['', '', 'Another way to install it.']),
          exec(
            run,
            command,
            `${run.pick(['ERROR: Could not install packages due to an OSError: ', 'error: ', 'write error: ', ''])}[Errno 28] No space left on device\n`,
            1,
          ),
        )
      })
    },
  ),
]
