import { describe, expect, it } from 'vitest'
import { guardMiddleware } from '../../src/adapters/anthropic/index.js'
import { guardFetch } from '../../src/adapters/openai/index.js'
import { createGuard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import type { Guard } from '../../src/index.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients send them
type Any = any

interface Client {
  send(guard: Guard | Guards): (body: Any) => Promise<{ call?: Any; text: string | undefined }>
  start(words: string): Any
  /** Adds the call and its answer, and what is said after that. */
  add(body: Any, call: Any, said: string | undefined): void
}

const ARGS = { path: 'a' }
const sent: Any[] = []

/** A provider whose model makes the same call again and again. */
const answered = (of: (id: string) => object) => async (_: unknown, init: Any) => {
  sent.push(JSON.parse(init.body))
  return Response.json(of(`call_${sent.length}`))
}

const CLIENTS: Record<string, Client> = {
  'chat completions': {
    send(guard) {
      const send = guardFetch(
        guard,
        answered((id) => ({
          choices: [
            {
              message: {
                role: 'assistant',
                tool_calls: [
                  {
                    id,
                    type: 'function',
                    function: { name: 'look', arguments: JSON.stringify(ARGS) },
                  },
                ],
              },
              finish_reason: 'tool_calls',
            },
          ],
        })),
      )
      return async (body) => {
        const init = { method: 'POST', body: JSON.stringify(body) }
        const { message } = (await (await send('https://x/v1/chat/completions', init)).json())
          .choices[0]
        return { call: message.tool_calls && message, text: message.content }
      }
    },
    start: (content) => ({
      messages: [{ role: 'user', content }],
      tools: [{ function: { name: 'look' } }],
    }),
    add({ messages }, call, said) {
      messages.push(call, { role: 'tool', tool_call_id: call.tool_calls[0].id, content: 'nothing' })
      if (said) messages.push({ role: 'user', content: said })
    },
  },
  Responses: {
    send(guard) {
      const send = guardFetch(
        guard,
        answered((call_id) => ({
          id: 'r',
          output: [
            { type: 'function_call', call_id, name: 'look', arguments: JSON.stringify(ARGS) },
          ],
        })),
      )
      return async (body) => {
        const init = { method: 'POST', body: JSON.stringify(body) }
        const [item] = (await (await send('https://x/v1/responses', init)).json()).output
        return { call: item.call_id && item, text: item.content?.[0].text }
      }
    },
    start: (content) => ({ input: [{ role: 'user', content }], tools: [{ name: 'look' }] }),
    add({ input }, call, said) {
      input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'nothing' })
      if (said) input.push({ role: 'user', content: said })
    },
  },
  Anthropic: {
    send(guard) {
      const send = answered((id) => ({
        id: 'm',
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'look', input: ARGS }],
      }))
      const middleware = guardMiddleware(guard)
      return async (body) => {
        const request = { url: 'https://x/v1/messages', body: JSON.stringify(body) }
        const response = await middleware(request, (one) => send(one.url, one))
        const [block] = (await response.json()).content
        return { call: block.type === 'tool_use' && block, text: block.text }
      }
    },
    start: (content) => ({ messages: [{ role: 'user', content }], tools: [{ name: 'look' }] }),
    add({ messages }, call, said) {
      const result = { type: 'tool_result', tool_use_id: call.id, content: 'nothing' }
      const words = said ? [{ type: 'text', text: said }] : []
      messages.push({ role: 'assistant', content: [call] })
      messages.push({ role: 'user', content: [result, ...words] })
    },
  },
}

const PEOPLE = [
  'Now look at the billing page',
  'Write a poem about cats',
  'How many users are there?',
  'Fix the login test',
  'Translate the readme',
  'What is 2+2?',
  'Delete the branch foo',
  'Say hello',
  'Book a flight',
  'Thanks, leave it',
]

/** What programs say in the person's role after each answer of a tool. */
const PROGRAMS: Record<string, (round: number) => string> = {
  'the same': () => 'You did not finish. Use a tool, or say that you are done.',
  'a nudge': () => 'continue',
  'a number': (round) => `Step ${round} of 100. Think about it, then go on.`,
  'only numbers': (round) => `${round}`,
  'a list that becomes shorter': (round) =>
    `Your todo list has changed. Open: ${['fix the login', 'fix the logout', 'write tests', 'update the docs', 'tell Bob', 'ship it', 'rest'].slice(round % 7).join(', ')}. Go on with the next item.`,
  'a reminder in tags': (round) =>
    `<system-reminder>${PEOPLE[round % PEOPLE.length]}</system-reminder>`,
  'an observation': (round) => `Observation: ${PEOPLE[round % PEOPLE.length]}`,
  'a request for a summary': (round) =>
    `${PEOPLE[round % PEOPLE.length]}. Write a summary of the conversation so far.`,
}

const GUARDS = { 'a guard': createGuard, guards: createGuards } as Record<string, () => Any>

for (const [name, client] of Object.entries(CLIENTS))
  for (const [kind, create] of Object.entries(GUARDS))
    describe(`${name}, ${kind}`, () => {
      /** Asks again and again; gives how many calls there were, and the last words. */
      async function play(say: (round: number) => string | undefined, rounds = 10) {
        const guard = create()
        const ask = client.send(guard)
        const body = client.start('Why is it slow?')
        for (let round = 1; round <= rounds; round++) {
          const { call, text } = await ask(body)
          if (!call) return { round, text, ask, body }
          client.add(body, call, say(round))
        }
        return { round: rounds, text: undefined, ask, body }
      }

      it('lets a person speak after each answer of a tool', async () => {
        expect((await play((round) => PEOPLE[round - 1])).text).toBeUndefined()
      })

      it.each(Object.keys(PROGRAMS))('stops a loop with a program that says %s', async (how) => {
        const { round, text } = await play(PROGRAMS[how] as (round: number) => string)
        expect(text).toMatch(/^Stopped: /)
        expect(round).toBeLessThanOrEqual(7)
      })

      it('goes on when the person asks for something else after a stop that the client dropped', async () => {
        const { text, ask, body } = await play(() => undefined)
        expect(text).toMatch(/^Stopped: /)
        const { call } = await ask(body)
        expect(call).toBeFalsy()
        const messages = body.messages ?? body.input
        messages.push({ role: 'user', content: 'Forget that. Say hello.' })
        expect((await ask(body)).call).toBeTruthy()
      })

      it.each([3, 5, 8])(
        'reads a history of %s equal calls that a person has left',
        async (calls) => {
          const body = client.start('Why is it slow?')
          for (let at = 1; at <= calls; at++) {
            const { call } = await client.send(createGuard({ detectors: [] }))(body)
            client.add(body, call, at === calls ? 'Thanks, leave it. Write a poem.' : undefined)
          }
          const count = sent.length
          expect((await client.send(create())(body)).call).toBeTruthy()
          // as it was, without words for the model
          expect(sent).toHaveLength(count + 1)
          expect(sent.at(-1)).toEqual(body)
        },
      )

      it.each(Object.keys(PROGRAMS))('reads a history with a program that says %s', async (how) => {
        const body = client.start('Why is it slow?')
        for (let at = 1; at <= 9; at++) {
          const { call } = await client.send(createGuard({ detectors: [] }))(body)
          client.add(body, call, PROGRAMS[how]?.(at))
        }
        expect((await client.send(create())(body)).text).toMatch(/^Stopped: /)
      })
    })
