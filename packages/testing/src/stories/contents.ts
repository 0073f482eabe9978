import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, failed, pick, type Step, type Story, times } from './story.js'

const yaml = (at: number) =>
  `name: ${pick(SERVICES, at)}\nport: ${8000 + 13 * at}\nowner: ${pick(PEOPLE, at)}\ntimeout: 30\n`
const path = (at: number, ending: string) => `conf/${pick(SERVICES, at)}.${ending}`

const file = (path: string, text: string) => call('read_file', { path }, text)
const issue = (number: number, text: string) => call('get_issue', { number }, text)

/** Reading one thing after another, all of them new; what they say sounds like trouble. */
const READS: [what: string, read: (at: number) => Step][] = [
  ['settings with a timeout, by a tool that reads', (at) => file(path(at, 'yml'), yaml(at))],
  ['settings with a timeout, by cat', (at) => bash(`cat ${path(at, 'yml')}`, yaml(at))],
  [
    'settings with a timeout, with words before each',
    (at) =>
      call('Read', { file_path: `/srv/${path(at, 'yml')}` }, yaml(at), {
        says: `Now the settings of ${pick(SERVICES, at)}.`,
      }),
  ],
  [
    'proxies with proxy_read_timeout',
    (at) =>
      bash(
        `cat nginx/${pick(SERVICES, at)}.conf`,
        `location /${pick(SERVICES, at)} {\n  proxy_pass http://${pick(CITIES, at)};\n  proxy_read_timeout 60s;\n}\n`,
      ),
  ],
  [
    'pages about HTTP 429',
    (at) =>
      call(
        'fetch',
        { url: `https://docs.example/${pick(SERVICES, at)}` },
        `${pick(SERVICES, at)}: more than ${40 + at} requests a minute get 429 Too Many Requests. Ask ${pick(PEOPLE, at)} for more.`,
      ),
  ],
  [
    'issues that begin with "Unable to"',
    (at) =>
      issue(
        200 + at,
        `Unable to ${pick(['open', 'save', 'print', 'share'], at)} the ${pick(SERVICES, at)} page in ${pick(CITIES, at)}, says ${pick(PEOPLE, at)}`,
      ),
  ],
  [
    'issues that begin with "Unable to", with words before each',
    (at) =>
      call(
        'get_issue',
        { number: 300 + at },
        `Unable to pay for ${pick(SERVICES, at)} from ${pick(CITIES, at)}, says ${pick(PEOPLE, at)}`,
        { says: `${pick(PEOPLE, at)} comes next.` },
      ),
  ],
  [
    'short reports of errors',
    (at) =>
      call(
        'get_report',
        { id: `r${at}` },
        `Error in ${pick(SERVICES, at)}: ${pick(SYMBOLS, at)} is not defined (${pick(PEOPLE, at)})`,
      ),
  ],
  [
    'classes that extend Error',
    (at) =>
      file(
        `src/errors/${pick(SERVICES, at)}.ts`,
        `export class ${pick(CITIES, at)}Error extends Error {\n  name = '${pick(SERVICES, at)}'\n}\n`,
      ),
  ],
  [
    'commits that fix errors',
    (at) =>
      bash(
        `git show --stat HEAD~${at}`,
        `fix: ${pick(SERVICES, at)} error in ${pick(CITIES, at)}\n\n src/${pick(SERVICES, at)}.ts | 2 +-\n`,
      ),
  ],
  [
    'texts of an app, in German',
    (at) =>
      file(
        `i18n/de/${pick(SERVICES, at)}.json`,
        `{ "error": "Fehler bei ${pick(SERVICES, at)}", "title": "${pick(CITIES, at)}" }`,
      ),
  ],
  [
    'texts of an app, in Chinese',
    (at) =>
      file(
        `i18n/zh/${pick(SERVICES, at)}.json`,
        `{ "error": "错误:找不到 ${pick(SERVICES, at)}", "owner": "${pick(PEOPLE, at)}" }`,
      ),
  ],
  [
    'reports of outages that are over',
    (at) =>
      file(
        `postmortems/${pick(CITIES, at)}.md`,
        `503 Service Unavailable in ${pick(CITIES, at)}: ${pick(PEOPLE, at)} restarted ${pick(SERVICES, at)}.`,
      ),
  ],
]

const reads = READS.map(
  ([what, read]): Story => ({
    name: `reading ${what}`,
    prompt: 'Read all of them and write a summary.',
    steps: times(40, read),
    expect: 'quiet',
  }),
)

export const contents: Story[] = [
  ...reads,
  {
    name: 'the same settings with a timeout, again and again',
    steps: times(30, () => file(path(0, 'yml'), yaml(0))),
    expect: { stoppedWithin: 6 },
    words: ['unreachable', 'not responding'],
  },
  {
    name: 'the same issue that begins with "Unable to", again and again',
    steps: times(30, () => issue(7, 'Unable to open the basket page')),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'two settings in turn, with words before each',
    steps: times(60, (at) =>
      call('read_file', { path: path(at % 2, 'yml') }, yaml(at % 2), {
        says: `Let me compare ${pick(SERVICES, at % 2)} once more.`,
      }),
    ),
    expect: { stoppedWithin: 12 },
  },
  {
    name: 'a service that really does not answer, whoever asks',
    steps: times(60, (at) =>
      failed(
        'fetch',
        { url: `https://api.example/${pick(SERVICES, at)}` },
        'connect ETIMEDOUT 10.0.4.7:443',
      ),
    ),
    expect: { stoppedWithin: 16 },
  },
  {
    name: 'files that do not exist, by ever new names, with words before each',
    steps: times(60, (at) =>
      failed(
        'read_file',
        { path: path(at, 'toml') },
        `ENOENT: no such file or directory, open '${path(at, 'toml')}'`,
        { says: `Perhaps it is ${pick(SERVICES, at)}.` },
      ),
    ),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'classes that extend Error, the same three again and again',
    steps: times(60, (at) =>
      file(
        `src/errors/${pick(SERVICES, at % 3)}.ts`,
        `export class ${pick(CITIES, at % 3)}Error extends Error {\n  name = '${pick(SERVICES, at % 3)}'\n}\n`,
      ),
    ),
    expect: { stoppedWithin: 15 },
  },
]
