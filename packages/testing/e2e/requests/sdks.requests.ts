// Requests of programs with the real SDKs of the providers.
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { clearAllBut } from './clear-answers.js'
import {
  anthropicMessages,
  googleContents,
  openaiChat,
  openaiResponses,
  openaiThread,
  type Program,
  runProgram,
} from './programs.js'
import {
  calling,
  failureAt,
  MISSING,
  nameAt,
  PROMPT,
  pictureAt,
  stageAt,
  talking,
} from './scenes.js'
import { SUMMARY, type Take } from './tape.js'
import { createWriter } from './write-case.js'

const versionOf = (name: string): string =>
  JSON.parse(
    readFileSync(new URL(`../../../../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
  ).version

type Sdk = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

const SDKS: Record<Sdk, { program: Program; client: string }> = {
  'openai-chat': { program: openaiChat, client: `openai ${versionOf('openai')}, chat completions` },
  'openai-responses': {
    program: openaiResponses,
    client: `openai ${versionOf('openai')}, Responses`,
  },
  anthropic: {
    program: anthropicMessages,
    client: `@anthropic-ai/sdk ${versionOf('@anthropic-ai/sdk')}`,
  },
  gemini: { program: googleContents, client: `@google/genai ${versionOf('@google/genai')}` },
}

const all = Object.keys(SDKS) as Sdk[]
const of = (sdk: Sdk) => SDKS[sdk]

/** Our own words in these runs. */
const OURS = [
  PROMPT,
  SUMMARY,
  'Then look at config.txt instead',
  'You did not use a tool. Use a tool, or say that you are done.',
  'Please continue.',
  'Name this conversation in four words',
]
const writer = (takes: Take[]) => createWriter(takes, OURS)

describe('loops', () => {
  test.each(all)('of one call, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const takes = await runProgram(
      program,
      calling(9, () => './look nothing.txt'),
      {
        prompts: [PROMPT, 'Then look at config.txt instead'],
        output: () => MISSING,
      },
    )
    const write = writer(takes)
    await write(
      {
        name: `${sdk}-same-call`,
        client,
        kinds: ['same-call'],
        why: 'The same call fails the same way: after the third time the model is told, and the fourth does not pass in silence.',
      },
      [
        [0, 'go'],
        [1, 'go'],
        [2, 'go'],
        [3, 'told'],
        [4, 'held'],
      ],
    )
    await write(
      {
        name: `${sdk}-same-call-first-contact`,
        client,
        kinds: ['same-call', 'first-contact'],
        why: 'The answer that is new in this request continues a loop of eight equal calls, which the history shows.',
      },
      [[8, 'held']],
    )
    await write(
      {
        name: `${sdk}-new-prompt-after-loop`,
        client,
        kinds: ['same-call', 'resume', 'first-contact'],
        why: 'The loop is over: the person has said something new since, and the past decides nothing.',
      },
      [[-1, 'go']],
    )
  })

  test.each(all)('that the model has left, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const model = calling(9, (turn) => (turn < 8 ? './look nothing.txt' : './look config.txt'))
    const takes = await runProgram(program, model, {
      prompts: [PROMPT],
      output: (_, at) => (at < 8 ? MISSING : 'port = 8080\nhost = shop.example'),
    })
    await writer(takes)(
      {
        name: `${sdk}-left-loop-first-contact`,
        client,
        kinds: ['same-call', 'first-contact'],
        why: 'The loop is in the past: the newest call is another one and has learned something, so nothing is to be said now.',
      },
      [[9, 'go']],
    )
  })

  test.each(['anthropic', 'openai-chat'] as const)('of two calls, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const model = calling(12, (turn) => (turn % 2 ? './look missing.txt' : './look nothing.txt'))
    const takes = await runProgram(program, model, {
      prompts: [PROMPT],
      output: (_, at) => (at % 2 ? 'cat: missing.txt: No such file or directory' : MISSING),
    })
    await writer(takes)(
      {
        name: `${sdk}-two-in-turn`,
        client,
        kinds: ['two-in-turn', 'first-contact'],
        why: 'Two failing calls take turns for the sixth time, and the newest answer is the next step of that.',
      },
      [[12, 'held']],
    )
  })

  test.each(['openai-responses', 'gemini'] as const)('of new names, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const model = calling(20, (turn) => `./look ${nameAt(turn)}.json`)
    const takes = await runProgram(program, model, {
      prompts: [PROMPT],
      output: (command) => `cat: ${command.split(' ')[1]}: No such file or directory`,
    })
    await writer(takes)(
      {
        name: `${sdk}-new-names`,
        client,
        kinds: ['new-names', 'first-contact'],
        why: 'Twenty files were guessed, none of them exists, and the model goes on guessing.',
      },
      [[20, 'held']],
    )
  })

  test('in a thread that the provider keeps', async () => {
    const client = `openai ${versionOf('openai')}, Responses by id`
    const takes = await runProgram(
      openaiThread,
      calling(6, () => './look nothing.txt'),
      {
        prompts: [PROMPT],
        output: () => MISSING,
      },
    )
    const write = writer(takes)
    await write(
      {
        name: 'openai-thread-same-call',
        client,
        kinds: ['same-call'],
        why: 'Each request carries only the newest answer, and the ids tell that they are one conversation.',
      },
      [
        [0, 'go'],
        [1, 'go'],
        [2, 'go'],
        [3, 'told'],
        [4, 'held'],
      ],
    )
    await write(
      {
        name: 'openai-thread-first-contact',
        client,
        kinds: ['first-contact', 'resume'],
        why: 'The provider has the history, so nothing but one answer is known of this conversation.',
      },
      [[5, 'go']],
    )
  })
})

describe('honest work', () => {
  test.each(all)('a poll, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const takes = await runProgram(
      program,
      calling(14, () => './build --status'),
      {
        prompts: ['Start the build and tell me when it is done'],
        output: (_, at) => stageAt(at),
      },
    )
    const write = createWriter(takes, ['Start the build and tell me when it is done'])
    await write(
      {
        name: `${sdk}-poll-first-contact`,
        client,
        kinds: ['poll', 'first-contact'],
        why: 'The same call has told something new each time.',
      },
      [[14, 'go']],
    )
    if (sdk === 'openai-chat' || sdk === 'gemini')
      await write(
        {
          name: `${sdk}-poll`,
          client,
          kinds: ['poll'],
          why: 'The same call tells something new each time.',
        },
        takes.slice(0, 7).map((_, at) => [at, 'go']),
      )
  })

  test.each(['openai-responses', 'anthropic'] as const)('changes and tests, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const model = calling(14, (turn) =>
      turn % 2 ? './test' : `./edit ${nameAt(turn)}.ts 'fix ${nameAt(turn)}'`,
    )
    const takes = await runProgram(program, model, {
      prompts: ['Make the tests pass'],
      output: (_, at) => (at % 2 ? failureAt((at - 1) / 2) : `${nameAt(at)}.ts was changed`),
    })
    await createWriter(takes, ['Make the tests pass'])(
      {
        name: `${sdk}-edit-test`,
        client,
        kinds: ['edit-test', 'first-contact'],
        why: 'Each run of the tests comes after a change, and each failure is another one.',
      },
      [[13, 'go']],
    )
  })
})

describe('cleared answers', () => {
  test.each(all)('of a poll, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const write = async (rounds: number, keep: number) => {
      const takes = await runProgram(
        program,
        calling(rounds, () => './look status.txt'),
        {
          prompts: [PROMPT],
          output: (_, at) => stageAt(at),
          edit: clearAllBut(keep),
        },
      )
      await createWriter(takes, [PROMPT])(
        {
          name: `${sdk}-cleared-poll-${rounds}-${keep}`,
          client,
          kinds: ['cleared', 'poll', 'first-contact'],
          why: `A placeholder is no answer: of ${rounds} answers ${keep} are known, and they differ.`,
        },
        [[rounds, 'go']],
      )
    }
    if (sdk === 'openai-chat' || sdk === 'gemini') await write(8, 1)
    else await write(15, 3)
  })

  test.each(['openai-chat', 'anthropic'] as const)('while a poll goes on, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const takes = await runProgram(
      program,
      calling(12, () => './look status.txt'),
      {
        prompts: [PROMPT],
        output: (_, at) => stageAt(at),
        edit: clearAllBut(2),
      },
    )
    await createWriter(takes, [PROMPT])(
      {
        name: `${sdk}-cleared-poll-live`,
        client,
        kinds: ['cleared', 'poll'],
        why: 'The guard has heard each answer before it was cleared, and each was another.',
      },
      takes.slice(0, 8).map((_, at) => [at, 'go']),
    )
  })

  test.each(['openai-responses', 'gemini'] as const)('of a loop, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const takes = await runProgram(
      program,
      calling(14, () => './look nothing.txt'),
      {
        prompts: [PROMPT],
        output: () => MISSING,
        edit: clearAllBut(6),
      },
    )
    await writer(takes)(
      {
        name: `${sdk}-cleared-loop`,
        client,
        kinds: ['cleared', 'same-call', 'first-contact'],
        why: 'The six answers that were not cleared are the same failure of the same call, which is enough.',
      },
      [[14, 'held']],
    )
  })
})

describe('what programs say', () => {
  const NUDGE = 'You did not use a tool. Use a tool, or say that you are done.'

  test.each(['openai-chat', 'anthropic'] as const)(
    'to a model that only talks, %s',
    async (sdk) => {
      const { program, client } = of(sdk)
      const stuck = await runProgram(
        program,
        talking(9, () => 'I will now open the file and fix the price of the basket.'),
        {
          prompts: [PROMPT],
          output: () => '',
          nudge: (at) => (at < 9 ? NUDGE : undefined),
        },
      )
      await writer(stuck)(
        {
          name: `${sdk}-nudged-loop`,
          client,
          kinds: ['nudge', 'first-contact'],
          why: 'The model has promised the same thing eight times, and a nudge that repeats is no new request of the person.',
        },
        [[8, 'held']],
      )
      const honest = await runProgram(
        program,
        talking(7, (turn) => `The next thing to know: ${stageAt(turn)}.`),
        {
          prompts: [PROMPT],
          output: () => '',
          nudge: (at) => (at < 7 ? 'Please continue.' : undefined),
        },
      )
      await writer(honest)(
        {
          name: `${sdk}-nudged-report`,
          client,
          kinds: ['nudge'],
          why: 'The model says something else each time that it is asked to continue.',
        },
        honest.slice(0, 7).map((_, at) => [at, 'go']),
      )
    },
  )

  test.each(all)('beside every answer, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const refrain = (round: number) =>
      `Step ${round + 2} of 100. Think about what you have learned, then continue.`
    const ours = Array.from({ length: 20 }, (_, round) => refrain(round))
    const stuck = await runProgram(
      program,
      calling(8, () => './look nothing.txt'),
      {
        prompts: [PROMPT],
        output: () => MISSING,
        refrain: (round) => refrain(round),
      },
    )
    const write = createWriter(stuck, [PROMPT, ...ours])
    if (sdk === 'openai-chat' || sdk === 'anthropic')
      await write(
        {
          name: `${sdk}-refrain-loop`,
          client,
          kinds: ['refrain', 'same-call'],
          why: 'The program says the same beside every answer, which makes the loop no new request.',
        },
        [
          [0, 'go'],
          [1, 'go'],
          [2, 'go'],
          [3, 'told'],
          [4, 'held'],
        ],
      )
    else
      await write(
        {
          name: `${sdk}-refrain-loop-first-contact`,
          client,
          kinds: ['refrain', 'same-call', 'first-contact'],
          why: 'Eight equal calls failed, and what the program says beside every answer is no new request.',
        },
        [[8, 'held']],
      )
    if (sdk !== 'openai-chat' && sdk !== 'gemini') return
    const honest = await runProgram(
      program,
      calling(7, (turn) => `./look ${nameAt(turn)}.txt`),
      {
        prompts: [PROMPT],
        output: (_, at) => `${nameAt(at)} is ${stageAt(at)}`,
        refrain: (round) => refrain(round),
      },
    )
    await createWriter(honest, [PROMPT, ...ours])(
      {
        name: `${sdk}-refrain-work`,
        client,
        kinds: ['refrain'],
        why: 'Only the program repeats itself; the calls and answers are new each time.',
      },
      [0, 2, 4, 6].map((at) => [at, 'go']),
    )
  })
})

describe('rounds', () => {
  test.each(all)('of parallel calls, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const isStuck = sdk === 'openai-chat' || sdk === 'gemini'
    const model = calling(8, (turn) =>
      [0, 1, 2].map((part) =>
        isStuck ? `./look ${['a', 'b', 'c'][part]}.json` : `./look ${nameAt(3 * turn + part)}.txt`,
      ),
    )
    const takes = await runProgram(program, model, {
      prompts: [PROMPT],
      output: (command, at) =>
        isStuck
          ? `cat: ${command.split(' ')[1]}: No such file or directory`
          : `${nameAt(at)}: ${stageAt(at)}`,
    })
    const write = writer(takes)
    if (isStuck)
      await write(
        {
          name: `${sdk}-parallel-loop`,
          client,
          kinds: ['parallel', 'first-contact'],
          why: 'The same three calls failed together eight times.',
        },
        [[8, 'held']],
      )
    else
      await write(
        {
          name: `${sdk}-parallel-work`,
          client,
          kinds: ['parallel'],
          why: 'Every round reads three files that were not read before.',
        },
        [0, 1, 2, 3, 4].map((at) => [at, 'go']),
      )
  })

  test.each(all)('with pictures, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const same = await runProgram(
      program,
      calling(8, () => './screenshot'),
      {
        prompts: ['Show me the page'],
        output: () => ({ picture: pictureAt(0) }),
      },
    )
    await createWriter(same, ['Show me the page'])(
      {
        name: `${sdk}-same-picture`,
        client,
        kinds: ['picture', 'same-call', 'first-contact'],
        why: 'The same call has shown the very same picture eight times.',
      },
      [[8, 'held']],
    )
    const other = await runProgram(
      program,
      calling(9, () => './screenshot'),
      {
        prompts: ['Watch the page'],
        output: (_, at) => ({ picture: pictureAt(at) }),
      },
    )
    await createWriter(other, ['Watch the page'])(
      {
        name: `${sdk}-other-pictures`,
        client,
        kinds: ['picture', 'poll', 'first-contact'],
        why: 'Each picture is another one, so each call has told something new.',
      },
      [[9, 'go']],
    )
  })

  test.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
    'after a fork, %s',
    async (sdk) => {
      const { program, client } = of(sdk)
      // biome-ignore lint/suspicious/noExplicitAny: histories of three protocols
      let trunk: any[] | undefined
      let asked = 0
      const takes = await runProgram(
        program,
        calling(9, (turn) => (turn % 3 ? './test' : './look notes.txt')),
        {
          prompts: [PROMPT],
          output: (command) =>
            command === './test' ? failureAt(0) : 'notes: start with the tests',
          edit(history) {
            // two attempts more from where the first one was after its first answer
            asked++
            if (asked === 2) trunk = structuredClone(history)
            if ((asked === 4 || asked === 6) && trunk)
              history.splice(0, history.length, ...structuredClone(trunk))
            return structuredClone(history)
          },
        },
      )
      await writer(takes)(
        {
          name: `${sdk}-fork`,
          client,
          kinds: ['fork'],
          why: 'Three attempts go on from the same answer and each runs the tests twice at most; together they are no loop.',
        },
        [0, 1, 2, 3, 4, 5, 6].map((at) => [at, 'go']),
      )
    },
  )
})

describe('beside the work', () => {
  test.each(['openai-chat', 'gemini'] as const)('a history becomes a summary, %s', async (sdk) => {
    const { program, client } = of(sdk)
    const takes = await runProgram(
      program,
      calling(9, (turn) => `./look ${nameAt(turn)}.txt`),
      {
        prompts: [PROMPT],
        output: (_, at) => `${nameAt(at)}: ${stageAt(at)}`,
        edit(history) {
          // the program itself keeps what was said as a summary
          if (history.length === 11)
            history.splice(
              0,
              history.length,
              sdk === 'gemini'
                ? { role: 'user', parts: [{ text: `${PROMPT}\n\n${SUMMARY}` }] }
                : { role: 'user', content: `${PROMPT}\n\n${SUMMARY}` },
            )
          return structuredClone(history)
        },
      },
    )
    await writer(takes)(
      {
        name: `${sdk}-summarized-work`,
        client,
        kinds: ['compaction', 'summary'],
        why: 'The history was replaced by a summary in the middle of honest work.',
      },
      [3, 4, 5, 6, 7].map((at) => [at, 'go']),
    )
  })
})
