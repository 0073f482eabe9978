// Requests of the real coding agents, each with a HOME of its own and no guard; `node scripts/setup-agents.mjs` installs them.
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedVerdict } from '@unloop/testing'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../../cli/e2e/agents/agents.js'
import { finish, type Lab, openLab, type Run } from '../../../cli/e2e/agents/lab.js'
import { following, nameAt, PROMPT, stageAt } from './scenes.js'
import { LONG, type Model, SUMMARY, startTape, type Take } from './tape.js'
import { createWriter } from './write-case.js'

const THEN = 'Then look at config.txt instead'
const POLL = 'Start the build and tell me when it is done'

/** Our own words in these runs. */
const OURS = [PROMPT, THEN, POLL, SUMMARY, 'Please continue.']

interface Session {
  lab: Lab
  /** Gives the agent its first prompt, and waits until it is done. */
  run(prompt?: string): Promise<Run>
  /** Goes on with the session in a new process. */
  resume(prompt?: string): Promise<Run>
}

/** Runs an agent against a model, and gives what it sent. */
async function record(
  name: AgentName,
  model: Model,
  act: (session: Session) => Promise<unknown>,
  aside?: Parameters<typeof startTape>[1],
) {
  const tape = await startTape(model, aside)
  await using lab = await openLab(name, () => 'Done.', { through: async () => tape })
  await fillProject(lab)
  await act({
    lab,
    run: async (prompt = PROMPT) => lab.run(prompt),
    resume: async (prompt = THEN) =>
      name === 'codex'
        ? finish(lab.spawn([...lab.agent.headless('resume'), '--last', prompt]))
        : lab.run(prompt, ['--continue']),
  })
  const { takes } = tape
  const version = /\/(\d+(?:\.\d+)+)/.exec(takes[0]?.headers['user-agent'] ?? '')?.[1]
  return { takes, client: `${TITLES[name]} ${version}`, write: createWriter(takes, OURS) }
}

const TITLES: Record<AgentName, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  opencode: 'opencode',
}

/** Files to read, `look` to read them, and `build`, which says something else each time. */
async function fillProject({ project }: Lab): Promise<void> {
  const stages = Array.from({ length: 16 }, (_, at) => stageAt(at)).join('\n')
  const files: Record<string, string> = {
    // what a command says right before it ends is lost by some agents on a busy machine
    look: '#!/bin/sh\ncat "$@"\nstatus=$?\nsleep 0.2\nexit $status\n',
    build: `#!/bin/sh\necho >> .asked\nsed -n "$(($(wc -l < .asked)))p" .stages\nsleep 0.2\n`,
    '.stages': `${stages}\n`,
  }
  for (let at = 0; at < 12; at++) files[`${nameAt(at)}.txt`] = `${nameAt(at)} is ${stageAt(at)}\n`
  for (const [path, text] of Object.entries(files)) await writeFile(join(project, path), text)
  for (const path of ['look', 'build']) await chmod(join(project, path), 0o755)
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

const LOST = './look nothing.txt'
const fileAt = (at: number): string => `./look ${nameAt(at)}.txt`

/** Calls of the shell, in order. */
const times = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at))

/** Whether a request is part of the work; the others are for titles and the like. */
const isWork = ({ answer }: Take): boolean => Boolean(answer.calls) || answer.text === 'Done.'

type Chosen = [at: number, verdict?: RecordedVerdict][]

/** Requests from one to before another: what is beside the work goes, the work has these verdicts in turn, and the last of them from then on. */
function choose(
  takes: readonly Take[],
  verdicts: readonly RecordedVerdict[],
  [from, to] = [0, takes.length],
): Chosen {
  const left = [...verdicts]
  return times(to - from, (at): Chosen[number] => {
    const take = takes[from + at] as Take
    if (!isWork(take)) return [from + at, 'go']
    const verdict = left.length > 1 ? left.shift() : left[0]
    return [from + at, verdict ?? 'go']
  })
}

describe('a loop of one call', () => {
  // the last two stop such a loop themselves, after four and five calls
  test.each([
    ['claude-code', 4],
    ['codex', 4],
    ['opencode', 4],
    ['gemini-cli', 3],
    ['qwen-code', 4],
  ] as const)('%s', async (name, calls) => {
    const { takes, client, write } = await record(
      name,
      following(times(calls, () => LOST)),
      ({ run }) => run(),
    )
    const hasTitle = takes.some((take) => !isWork(take))
    await write(
      {
        name: `${name}-same-call`,
        client,
        kinds: ['same-call', ...(hasTitle ? (['title'] as const) : [])],
        why: hasTitle
          ? 'The same call fails the same way three times, and the request for a title is no part of that.'
          : 'The same call fails the same way: after the third time the model is told, and the fourth does not pass in silence.',
      },
      choose(takes, ['go', 'go', 'go', 'told', 'held']),
    )
  })
})

describe('a later process', () => {
  test.each(['codex', 'opencode'] as const)('after a loop, %s', async (name) => {
    const { takes, client, write } = await record(
      name,
      following([...times(5, () => LOST), [], fileAt(0)]),
      async ({ run, resume }) => {
        await run()
        await resume()
      },
    )
    const first = takes.findIndex(({ body }) => JSON.stringify(body).includes(THEN))
    await write(
      {
        name: `${name}-resumed`,
        client,
        kinds: ['resume', 'same-call', 'first-contact'],
        why: 'The loop of the first process is in the past: the person has said something new, and the next call is another one.',
      },
      choose(takes, ['go'], [first, first + 2]),
    )
  })

  test.each(['claude-code', 'qwen-code'] as const)('that loops, %s', async (name) => {
    const { takes, client, write } = await record(
      name,
      following([fileAt(1), fileAt(2), [], ...times(4, () => LOST)]),
      async ({ run, resume }) => {
        await run()
        await resume()
      },
    )
    const first = takes.findIndex(({ body }) => JSON.stringify(body).includes(THEN))
    const hasNote = name === 'qwen-code'
    await write(
      {
        name: `${name}-resumed-loop`,
        client,
        kinds: ['resume', 'same-call', ...(hasNote ? (['refrain'] as const) : [])],
        why: 'The process before did honest work; the guard has not seen it, and tells of the loop of this one.',
      },
      choose(takes, ['go', 'go', 'go', 'told', 'held'], [first, first + 5]),
    )
  })

  test('that remembers, qwen-code', async () => {
    const { takes, client, write } = await record(
      'qwen-code',
      following(times(4, () => LOST)),
      async ({ run, resume }) => {
        await run()
        await resume()
      },
    )
    const at = takes.findIndex(
      ({ body }) => JSON.stringify(body.tools) !== JSON.stringify(takes[0]?.body.tools),
    )
    await write(
      {
        name: 'qwen-code-memory',
        client,
        kinds: ['title', 'resume', 'same-call', 'first-contact'],
        why: 'What is to be remembered of a session is asked beside it, in words of the client; the loop of the session is over.',
      },
      [
        [at - 1, 'go'],
        [at, 'go'],
      ],
    )
  })
})

describe('honest work', () => {
  test('a poll, codex', async () => {
    const { takes, client, write } = await record(
      'codex',
      following(times(10, () => './build --status')),
      ({ run }) => run(POLL),
    )
    await write(
      {
        name: 'codex-poll',
        client,
        kinds: ['poll', 'first-contact'],
        why: 'The same call has told something new each time, in a frame that changes anyway.',
      },
      [[takes.length - 1, 'go']],
    )
  })

  test('parallel calls, gemini-cli', async () => {
    const { takes, client, write } = await record(
      'gemini-cli',
      following(times(3, (round) => times(3, (part) => fileAt(3 * round + part)))),
      ({ run }) => run(),
    )
    await write(
      {
        name: 'gemini-cli-parallel-work',
        client,
        kinds: ['parallel'],
        why: 'Every round reads three files that were not read before.',
      },
      choose(takes, ['go']),
    )
  })
})

describe('who speaks next, gemini-cli', () => {
  const recordTalk = async (textOf: (at: number) => string) => {
    let asked = 0
    const says = () => ({
      text: JSON.stringify({
        reasoning: 'It is not done.',
        next_speaker: asked++ < 8 ? 'model' : 'user',
      }),
    })
    return record(
      'gemini-cli',
      ({ turn }) => ({ text: textOf(turn) }),
      async ({ lab, run }) => {
        await edit(join(lab.home, '.gemini/settings.json'), (text) =>
          text.replace('"privacy"', '"model": { "skipNextSpeakerCheck": false },\n  "privacy"'),
        )
        await run()
      },
      says,
    )
  }

  test('for a model that only promises', async () => {
    const { takes, client, write } = await recordTalk(
      () => 'I will now open the file and fix the price of the basket.',
    )
    expect(takes.length).toBeGreaterThan(17)
    await write(
      {
        name: 'gemini-cli-nudged-loop',
        client,
        kinds: ['nudge', 'title', 'first-contact'],
        why: 'Asked eight times to continue, the model has promised the same; who speaks next is a question beside the conversation.',
      },
      [
        [15, 'go'],
        [16, 'held'],
      ],
    )
  })

  test('for a model that reports', async () => {
    const { client, write } = await recordTalk((at) => `The next thing to know: ${stageAt(at)}.`)
    await write(
      {
        name: 'gemini-cli-nudged-report',
        client,
        kinds: ['nudge', 'title'],
        why: 'The model says something else each time that it is asked to continue, and who speaks next is asked beside that.',
      },
      times(7, (at) => [at, 'go']),
    )
  })
})

describe('a summary', () => {
  test('by command, claude-code', async () => {
    const { takes, client, write } = await record(
      'claude-code',
      following([
        ...times(2, (round) => [fileAt(2 * round), fileAt(2 * round + 1)]),
        [],
        fileAt(4),
      ]),
      async ({ run, resume }) => {
        await run()
        await resume('/compact')
        await resume()
      },
    )
    await write(
      {
        name: 'claude-code-compacted',
        client,
        kinds: ['compaction', 'summary', 'resume', 'parallel'],
        why: 'Honest work is summarized by one process, and the next one goes on from the summary.',
      },
      choose(takes, ['go']),
    )
  })

  /** Reads two files, which seem to fill the window of the model, and then does something else. */
  const readingThen = (after: string[]): Model => {
    const next = following([...times(2, fileAt), ...after])
    return (request) => ({
      ...next(request),
      ...(request.turn === 1 && { usage: { inputTokens: LONG, outputTokens: 5 } }),
    })
  }

  test('in the middle of work, opencode', async () => {
    const { takes, client, write } = await record(
      'opencode',
      readingThen(times(2, (at) => fileAt(2 + at))),
      async ({ lab, run }) => {
        await edit(join(lab.home, '.config/opencode/opencode.json'), (text) =>
          text.replace(
            '"tool_call": true',
            '"tool_call": true, "limit": { "context": 100000, "output": 4000 }',
          ),
        )
        await run()
      },
    )
    await write(
      {
        name: 'opencode-compacted',
        client,
        kinds: ['compaction', 'summary', 'title', 'nudge'],
        why: 'Honest work is summarized by another request of the same session, and goes on from the summary.',
      },
      choose(takes, ['go']),
    )
  })

  test('before a loop, codex', async () => {
    const { takes, client, write } = await record(
      'codex',
      readingThen(times(4, () => LOST)),
      async ({ lab, run }) => {
        await edit(
          join(lab.home, '.codex/config.toml'),
          (text) => `model_auto_compact_token_limit = 100000\n${text}`,
        )
        await run()
      },
    )
    await write(
      {
        name: 'codex-compacted-loop',
        client,
        kinds: ['compaction', 'summary', 'same-call'],
        why: 'After the summary of honest work the same call fails four times, which neither the summary nor its frame hides.',
      },
      choose(takes, ['go', 'go', 'go', 'go', 'go', 'told', 'held']),
    )
  })

  test('in the middle of work, qwen-code', async () => {
    const { takes, client, write } = await record(
      'qwen-code',
      readingThen(times(2, (at) => fileAt(2 + at))),
      ({ run }) => run(),
    )
    await write(
      {
        name: 'qwen-code-compacted',
        client,
        kinds: ['compaction', 'summary'],
        why: 'Honest work is summarized by a request without tools, and goes on from the summary.',
      },
      choose(takes, ['go']),
    )
  })
})
