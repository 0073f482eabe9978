import { PEOPLE, SERVICES } from './names.js'
import { bash, call, failed, pick, type Story, times } from './story.js'

const notFound = 'Failed to edit: could not find the string to replace.'

/** Loops that other tools missed, or noticed far too late. */
export const knownLoops: Story[] = [
  {
    name: 'a read, and an edit that does not find its text',
    steps: times(40, () => [
      call('read_file', { path: 'a.ts' }, 'const total = price * amount'),
      failed('replace', { path: 'a.ts', old: 'total=price*amount', new: 'sum' }, notFound),
    ]),
    expect: { stoppedWithin: 16 },
  },
  {
    name: 'a read, and an edit that finds its text, file by file',
    steps: times(20, (at) => [
      call('read_file', { path: `src/${pick(SERVICES, at)}.ts` }, `const ${pick(PEOPLE, at)} = 1`),
      call('replace', { path: `src/${pick(SERVICES, at)}.ts`, old: '1', new: '2' }, 'Edited.'),
    ]),
    expect: 'quiet',
  },
  {
    name: 'an edit that changes nothing',
    steps: times(40, () =>
      call('replace', { path: 'a.ts', old: 'sum', new: 'sum' }, 'No changes detected.'),
    ),
    expect: { stoppedWithin: 7 },
  },
  {
    name: 'a listing of ever new folders, with the same error',
    steps: times(60, (at) =>
      failed(
        'list_directory',
        { dir_path: `/srv/${pick(SERVICES, at)}`, flags: '-l' },
        'Path must be within the workspace.',
      ),
    ),
    expect: { stoppedWithin: 45 },
  },
  {
    name: 'a listing of one folder that is not there, seven hundred times',
    steps: times(60, () =>
      failed(
        'ListFiles',
        { path: '/srv/shop' },
        "ENOENT: no such file or directory, scandir '/srv/shop'",
      ),
    ),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'two looks in turn',
    steps: times(60, (at) =>
      bash(
        at % 2 ? 'git status' : 'git diff --stat',
        at % 2 ? 'nothing to commit, working tree clean' : '',
      ),
    ),
    expect: { stoppedWithin: 12 },
  },
  {
    name: 'two commands that both do their work, and lead nowhere',
    steps: times(60, (at) =>
      at % 2
        ? bash('git stash', 'Saved working directory')
        : bash('git stash pop', 'Dropped refs/stash@{0}'),
    ),
    expect: { stoppedWithin: 30 },
  },
  {
    name: 'three looks in turn, with words between',
    steps: times(60, (at) =>
      call(
        'read_file',
        { path: `${pick(SERVICES, at % 3)}.ts` },
        `export const ${pick(PEOPLE, at % 3)} = ${at % 3}`,
        { says: `I look at ${pick(SERVICES, at % 3)}.` },
      ),
    ),
    expect: { stoppedWithin: 15 },
  },
  {
    name: 'no more commands, says the agent, and makes one',
    steps: times(40, () =>
      bash('ps aux | grep gradle', 'ada 4711 0.0 grep gradle', {
        says: 'The build is over. No more commands are needed.',
      }),
    ),
    expect: { stoppedWithin: 8 },
  },
  {
    name: 'git status, an apology, and a nudge',
    steps: times(30, () => [
      bash('git status', 'nothing to commit, working tree clean'),
      {
        says: 'I apologize for the confusion. I will go on with the task now.',
        answered: 'System: Please continue.',
      },
    ]),
    expect: { stoppedWithin: 30 },
    fails: true,
  },
  {
    name: 'please continue, and never a call',
    prompt: 'Fix the login.',
    steps: times(100, () => ({ says: 'I will go on now.', answered: 'Please continue.' })),
    expect: { stoppedWithin: 10 },
  },
  {
    name: 'nothing but "I am blocked", in the same words',
    prompt: 'Publish the package.',
    steps: times(30, () => ({
      says: 'I reiterate that I am blocked: I have no token, and nothing has changed.',
      answered: 'Continue.',
    })),
    expect: { stoppedWithin: 10 },
  },
  {
    name: 'one question about a repository, asked in many ways',
    steps: times(60, (at) =>
      bash(
        pick(
          ['git status', 'git status -s', 'git diff', 'git status --short', 'git diff HEAD'],
          at,
        ),
        at % 5 === 0 ? 'nothing to commit, working tree clean' : '',
      ),
    ),
    expect: { stoppedWithin: 30 },
  },
]
