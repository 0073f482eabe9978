import { bash, call, failed, type Step, type Story, times } from './story.js'

const checks = (state: string) => `build\t${state}\t0\thttps://ci.example/77\nlint\tpass\t12s`

/** A look that fails as long as what it waits for is not there: how it looks, how it ends, and how often it may fail. */
const LOOKS: [what: string, look: Step, end: Step, count: number][] = [
  [
    'a file of a build',
    bash(
      'sleep 2; ls dist/shop.js',
      "ls: cannot access 'dist/shop.js': No such file or directory",
      { isError: true, seconds: 2 },
    ),
    bash('sleep 2; ls dist/shop.js', 'dist/shop.js', { seconds: 2 }),
    12,
  ],
  [
    'the checks of a pull request',
    bash('sleep 10; gh pr checks 12', `Exit code 8\n${checks('pending')}`, {
      isError: true,
      seconds: 11,
    }),
    bash('sleep 10; gh pr checks 12', checks('pass'), { seconds: 11 }),
    20,
  ],
  [
    'a server that starts',
    bash(
      'sleep 5 && curl -sf localhost:3000/health',
      'Exit code 7\ncurl: (7) Failed to connect to localhost port 3000: Connection refused',
      { isError: true, seconds: 5 },
    ),
    bash('sleep 5 && curl -sf localhost:3000/health', '{"status":"up"}', { seconds: 5 }),
    12,
  ],
  [
    'a mark that a job sets at its end',
    bash('sleep 15; test -f done.flag', 'Exit code 1', { isError: true, seconds: 15 }),
    bash('sleep 15; test -f done.flag && echo there', 'there', { seconds: 15 }),
    16,
  ],
  [
    'a container that becomes healthy',
    bash('sleep 10; docker inspect db | grep -q healthy', 'Exit code 1', {
      isError: true,
      seconds: 10,
    }),
    bash('sleep 10; docker inspect db | grep healthy', '"Status": "healthy"', { seconds: 10 }),
    12,
  ],
  [
    'a pod that is not there yet',
    bash(
      'sleep 20; kubectl get pod web-0',
      'Exit code 1\nError from server (NotFound): pods "web-0" not found',
      { isError: true, seconds: 20 },
    ),
    bash('sleep 20; kubectl get pod web-0', 'web-0   1/1   Running   0   9s', { seconds: 20 }),
    12,
  ],
]

const looks = LOOKS.flatMap(([what, look, end, count]): Story[] => [
  {
    name: `waiting for ${what}, with a look that fails until then`,
    steps: [...times(count, () => look), end],
    expect: 'no stop',
  },
  {
    name: `${what} that never comes`,
    steps: times(150, () => look),
    expect: { stoppedWithin: 100 },
  },
  {
    name: `${what} that never comes, looked at without a pause`,
    steps: times(60, () => ({
      ...look,
      args: {
        command: `${(look.args as { command: string }).command}`.replace(/^sleep \d+(;| &&) /, ''),
      },
      seconds: 0,
    })),
    expect: { stoppedWithin: 20 },
  },
])

// the first verb of a name is not what the tool does
const STATUS: [tool: string, args: object][] = [
  ['deploy_status', { id: 'd-7' }],
  ['mcp__ops__deploy_status', { id: 'd-7' }],
  ['deployment_status', { id: 'd-7' }],
  ['get_status', { job: 4 }],
  ['build_status', { run: 31 }],
  ['export_status', { id: 'e-2' }],
  ['transfer_status', { id: 't-9' }],
  ['merge_state', { pr: 12 }],
  ['install_progress', { package: 'cuda' }],
]

const polls = STATUS.flatMap(([tool, args]): Story[] => [
  {
    name: `${tool}: asked until it is done`,
    steps: times(13, (at) => call(tool, args, at < 12 ? 'in_progress' : 'succeeded')),
    takesTime: true,
    expect: 'no stop',
    words: ['same change'],
  },
  {
    name: `${tool}: asked without end`,
    steps: times(150, () => call(tool, args, 'in_progress')),
    expect: { stoppedWithin: 60 },
    words: ['same change'],
  },
])

export const waiting: Story[] = [
  ...looks,
  {
    name: 'get_status: asked every three seconds until it is done',
    steps: times(13, (at) =>
      call('get_status', { job: 5 }, at < 12 ? 'in_progress' : 'succeeded', { seconds: 3 }),
    ),
    expect: 'no stop',
  },
  {
    name: 'deploy_status: asked every three seconds until it is done',
    steps: times(13, (at) =>
      call('deploy_status', { id: 'd-9' }, at < 12 ? 'in_progress' : 'succeeded', { seconds: 3 }),
    ),
    expect: 'no stop',
    words: ['same change'],
  },
  ...polls,
  {
    name: 'a deployment that is made again and again',
    steps: times(30, () => call('deploy', { env: 'staging' }, 'deployed')),
    expect: { stoppedWithin: 8 },
  },
  {
    name: 'a status that has an end, asked again and again',
    steps: times(40, () => call('deploy_status', { id: 'd-7' }, 'succeeded')),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'a status of a job that nobody knows, asked again and again',
    steps: times(40, () => failed('deploy_status', { id: 'd-8' }, 'no deployment d-8')),
    expect: { stoppedWithin: 8 },
  },
]
