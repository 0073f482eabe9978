import type { Agent, AgentOptions } from '@unloop/agent'
import {
  createAgent,
  createEmbeddedModel,
  createGuideTools,
  defineTool,
  demoPersonas,
} from '@unloop/agent'
import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClock } from '../../test/clock.js'
import { type Chat, type ChatParts, createChat } from './chat.js'
import { approvalDialog, KEYS, openDialog, optionsOf } from './dialog.js'
import { createDecoder } from './input/decode.js'
import { createKeys } from './keys.js'
import type { ChatState, Dialog, Item } from './state.js'

/** A chat with the embedded model, and the keys of somebody who sits before it. */
async function open(options: Partial<AgentOptions> = {}, parts: Partial<ChatParts> = {}) {
  let agent: Agent | undefined
  const chat = await createChat({
    open: async (approve, _tell, saved) => {
      agent = createAgent({
        model: createEmbeddedModel({ paceMs: 0 }),
        tools: createGuideTools(),
        guard: { attended: true },
        personas: demoPersonas,
        approve,
        ...(saved && { saved }),
        ...options,
      })
      return agent
    },
    listSessions: () => [],
    isEmbedded: (model) => model.startsWith('embedded/'),
    hasJudge: () => options.judge !== undefined,
    banner: ['hello'],
    ...parts,
  })
  const clock = createClock()
  const decoder = createDecoder()
  const handle = createKeys(chat, clock.later)
  /** Presses what a terminal sends for it, in one read. */
  const press = (bytes: string) =>
    handle([...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()])
  return {
    chat,
    clock,
    agent: agent as Agent,
    press,
    /** Types a line and sends it. */
    send(line: string) {
      press(line)
      press('\r')
    },
    /** Waits for a question that is as wanted, and until it takes answers. */
    question: (wanted: (state: ChatState) => unknown = openDialog) =>
      until(chat, (state) => {
        if (!wanted(state)) return false
        if (!state.asked.isListening) clock.pass(GRACE_MS)
        return state.asked.isListening
      }),
    /** Presses a key, and nothing else for a while. */
    answer(key: string) {
      press(key)
      clock.pass(TYPING_MS)
    },
    /** Waits until the chat is as wanted. */
    until: (wanted: (state: ChatState) => unknown) => until(chat, wanted),
    items: (type: Item['type']) => chat.store.get().items.filter((item) => item.type === type),
  }
}

function until({ store }: Chat, wanted: (state: ChatState) => unknown): Promise<ChatState> {
  return new Promise((resolve) => {
    const check = () => {
      if (!wanted(store.get())) return
      unsubscribe()
      resolve(store.get())
    }
    const unsubscribe = store.subscribe(check)
    check()
  })
}

const GRACE_MS = 450
const TYPING_MS = 600
const ESC = '\x1b'
const UP = '\x1b[A'
const DOWN = '\x1b[B'

const idle = (state: ChatState) => !state.isRunning
const asked = (state: ChatState) => !state.isRunning && state.dialog?.type === 'loop'

describe('a chat', () => {
  it('answers, and counts turns and tokens', async () => {
    const { send, until, items } = await open()
    send('What is unloop?')
    const { status } = await until(idle)
    expect(items('person')).toEqual([{ type: 'person', text: 'What is unloop?' }])
    expect(items('call')).toHaveLength(1)
    expect(items('answer').length).toBeGreaterThan(1)
    expect(status).toMatchObject({ model: 'embedded/demo', guard: 'enforce', turn: 2 })
    expect(status.tokens).toBeGreaterThan(0)
  })

  it('shows an early sign before anything is stopped', async () => {
    const { send, until, chat } = await open({ maxTurns: 3 })
    send('/stuck repeated-call')
    await until(idle)
    expect(chat.store.get().status.sign).toMatchObject({ detector: 'repeated-call', limit: 4 })
    expect(chat.store.get().dialog).toBeUndefined()
  })

  it('asks what to do about a loop', async () => {
    const { send, items, question } = await open()
    send('/stuck repeated-call')
    const { dialog } = await question(asked)
    expect(dialog).toMatchObject({ finding: { tool: 'list_topics', action: 'ask' } })
    expect(items('warning').length).toBeGreaterThan(0)
    expect(items('loop')).toHaveLength(1)
  })

  it('stops with Esc, and the next prompt begins anew', async () => {
    const { send, until, press, items, question } = await open()
    send('/stuck repeated-call')
    await question(asked)
    press(ESC)
    expect(items('choice')).toHaveLength(1)
    send('What is unloop?')
    const { dialog, items: all } = await until(idle)
    expect(dialog).toBeUndefined()
    expect(all.at(-1)).toMatchObject({ type: 'answer' })
  })

  it('continues once, and asks again', async () => {
    const { send, items, question, answer } = await open()
    send('/stuck repeated-call')
    await question(asked)
    const calls = items('call').length
    answer('2')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('continued once') })
    await question(asked)
    expect(items('call').length).toBeGreaterThan(calls)
    expect(items('loop')).toHaveLength(2)
  })

  it('allows the tool', async () => {
    const { send, until, question, answer } = await open({ maxTurns: 12 })
    send('/stuck repeated-call')
    await question(asked)
    answer('3')
    const { items } = await until(idle)
    expect(items.at(-1)).toMatchObject({ text: expect.stringContaining('turns, the limit') })
  })

  it('does not offer to allow a tool where none is to blame', async () => {
    const { send, items, question, answer } = await open()
    send('/stuck chanting')
    await question(asked)
    answer('3')
    expect(items('choice')).toEqual([])
    await question(asked)
    answer('6')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('disabled') })
  })

  it.each([
    ['repeated-call', true],
    ['scattered-call', true],
    ['paging', true],
    // each call has another name, so allowing the last one would stop at the next
    ['failing', false],
    // three tools in turn
    ['call-cycle', false],
  ])('offers to allow the tool of a loop if it is one: %s', async (kind, isOffered) => {
    const { chat, send, press, question, answer } = await open()
    const offered = () => {
      const { dialog } = chat.store.get()
      const labels = dialog ? optionsOf(dialog, 0).map(({ label }) => label) : []
      return labels.some((label) => label.startsWith('allow'))
    }
    send(`/stuck ${kind}`)
    await question(asked)
    expect(offered()).toBe(isOffered)
    answer('4')
    expect(chat.store.get().dialog?.type).toBe('hint')
    press(ESC)
    expect(offered()).toBe(isOffered)
  })

  it('asks about a verdict of the judge, and lists it among the loops', async () => {
    const judge = { model: createEmbeddedModel({ paceMs: 0 }) }
    const { send, press, items, question } = await open({ judge })
    send('/stuck judge')
    const { dialog } = await question(asked)
    expect(dialog).toMatchObject({ finding: { detector: 'judge', action: 'ask' } })
    expect(dialog && optionsOf(dialog, 0).map(({ label }) => label)).toHaveLength(5)
    press(ESC)
    send('/loops')
    expect(items('notice').at(-1)).toMatchObject({
      text: expect.stringMatching(/^1\. stuck: judge\n(.|\n)*cost +\d+ events/),
    })
  })

  it('sends a hint that is typed into the dialog', async () => {
    const { agent, send, press, question, answer } = await open()
    send('/stuck repeated-call')
    await question(asked)
    answer('4')
    press('look in ')
    press('lib/')
    press('\r')
    await question(asked)
    const told = agent.history.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(told).toContainEqual(expect.stringContaining('look in lib/'))
  })

  it('leaves the hint again with Esc', async () => {
    const { chat, send, press, question, answer } = await open()
    send('/stuck repeated-call')
    await question(asked)
    answer('4')
    press('never mind')
    press(ESC)
    expect(chat.store.get()).toMatchObject({ dialog: { type: 'loop' }, editor: { text: '' } })
  })

  it('goes back, says what was removed and tries again', async () => {
    const { agent, send, items, question, answer } = await open()
    send('/stuck repeated-call')
    await question(asked)
    const before = agent.history.length
    answer('5')
    expect(agent.history.length).toBeLessThan(before)
    expect(items('choice')[0]).toMatchObject({
      text: expect.stringMatching(
        /went back to before the loop: \d+ messages with \d+ calls removed/,
      ),
    })
    await question(asked)
  })

  it('is disabled for the session and goes on with the same prompt', async () => {
    const { agent, send, until, items, question, answer } = await open({ maxTurns: 10 })
    send('/stuck repeated-call')
    await question(asked)
    answer('6')
    const { status } = await until(idle)
    expect(status.guard).toBe('off')
    expect(items('person')).toHaveLength(1)
    expect(
      agent.history.filter((message) => message.role === 'user' && !message.from),
    ).toHaveLength(1)
    send('/guard enforce')
    expect((await until(idle)).status.guard).toBe('enforce')
  })

  it('understands keys that arrive together', async () => {
    const { send, press, items, question, answer } = await open()
    send('/stuck repeated-call')
    await question(asked)
    press(DOWN)
    press(UP)
    press(DOWN)
    press('\r')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('continued once') })
    await question(asked)
    answer('4')
    press('hint\r')
    expect(items('choice')[1]).toMatchObject({ text: 'hint to the model: hint' })
    await question(asked)
  })

  it('submits lines one after the other, commands among them', async () => {
    const { chat, until, press, items, question } = await open()
    press('a draft')
    chat.submitAll(['What is unloop?', '', '/stuck repeated-call', '/guard'])
    await question(asked)
    expect(items('person').map((item) => item.type === 'person' && item.text)).toEqual([
      'What is unloop?',
      '/stuck repeated-call',
    ])
    press(ESC)
    await until((state) => state.items.at(-1)?.type === 'notice')
    expect(items('notice').at(-1)).toMatchObject({ text: 'guard mode: enforce' })
    expect(chat.store.get().editor.text).toBe('a draft')
  })

  it('drops the lines that wait when it is stopped, and when it ends', async () => {
    const { chat, until, press, items } = await open()
    chat.submitAll(['What is unloop?', '/help'])
    press(ESC)
    await until(idle)
    chat.submitAll(['/exit', 'What is unloop?'])
    await chat.done
    expect(items('person').map((item) => item.type === 'person' && item.text)).toEqual([
      'What is unloop?',
      '/exit',
    ])
  })

  it('stops an answer with Esc and leaves with Ctrl+C twice', async () => {
    const { chat, send, until, press, items } = await open({
      model: createEmbeddedModel({ paceMs: 1 }),
      guardMode: 'off',
    })
    send('/stuck repeated-call')
    await until((state) => state.items.some(({ type }) => type === 'call'))
    press(ESC)
    await until(idle)
    expect(items('notice').at(-1)).toMatchObject({ text: 'stopped' })
    press('\x03')
    expect(chat.store.get().isLeaving).toBe(true)
    press('x')
    expect(chat.store.get().isLeaving).toBe(false)
    press('\x03')
    press('\x03')
    await chat.done
  })

  it('tells keys apart that were hit faster than it reads', async () => {
    const { chat, press } = await open()
    press('abc\x7f\x7fd\x01x')
    expect(chat.store.get().editor.text).toBe('xad')
    press('\x03\x03')
    await chat.done
  })

  it('keeps what is pasted in several lines, and sends none of them', async () => {
    const { chat, press } = await open()
    press('\x1b[200~one\rtwo\rthree\r\x1b[201~')
    press('a\rb\rc')
    expect(chat.store.get().editor.text).toBe('one\ntwo\nthree\na\nb\nc')
    expect(chat.store.get().isRunning).toBe(false)
  })

  it('recalls earlier prompts with the arrow keys', async () => {
    const { chat, send, press } = await open()
    send('/help')
    send('/loops')
    press('draft')
    const text = () => chat.store.get().editor.text
    press(UP)
    expect(text()).toBe('/loops')
    press(UP)
    expect(text()).toBe('/help')
    press(DOWN)
    press(DOWN)
    expect(text()).toBe('draft')
  })

  it.each([
    ['/help', '/stuck KIND [heed]'],
    ['/loops', 'no loops so far'],
    ['/guard', 'guard mode: enforce'],
    ['/guard observe', 'guard mode: observe'],
    ['/guard maybe', 'must be one of enforce, observe, off; got "maybe"'],
    ['/resume', 'no conversation was saved'],
    [`/guard ${'on'}`, 'got "on", which is now called "enforce"'],
    ['/lops', 'unknown command /lops; did you mean loops?'],
    ['/stuck chantin', 'did you mean chanting?'],
    ['/stuck judge', '"judge": { "model": "embedded" }'],
  ])('answers %s', async (line, answer) => {
    const { send, items } = await open()
    send(line)
    expect(items('notice').at(-1)).toMatchObject({ text: expect.stringContaining(answer) })
  })

  it('lists loops with evidence, and tells of them in observe mode without stopping', async () => {
    const { send, until, items } = await open({ guardMode: 'observe', maxTurns: 6 })
    send('/stuck repeated-call')
    await until(idle)
    expect(items('observed').length).toBeGreaterThan(0)
    send('/loops')
    expect(items('notice').at(-1)).toMatchObject({
      text: expect.stringMatching(/1\. stuck: repeated-call\n.*what .*list_topics.*cost .*events/s),
    })
  })

  it('asks before a tool that wants it: no, yes, always', async () => {
    const { send, until, question, answer, press, items } = await open(asking(4))
    send('/stuck repeated-call')
    await question(approval('call_1'))
    press(ESC)
    await question(approval('call_2'))
    answer('y')
    await question(approval('call_3'))
    answer('a')
    await until(idle)
    expect(outputs(items('call'))).toEqual([
      expect.stringContaining('said no'),
      'done',
      'done',
      'done',
    ])
  })
})

describe('a question', () => {
  const asked = (state: ChatState) => state.dialog?.type === 'approval'

  /** A chat in which a tool wants to be run. */
  async function wait() {
    const chat = await open(asking(1))
    chat.send('/stuck repeated-call')
    await chat.until(asked)
    return chat
  }

  it('is not answered before it was there for a while', async () => {
    const { press, clock, question, chat, items } = await wait()
    for (const bytes of ['y', 'a', '\r', ESC, UP]) press(bytes)
    clock.pass(TYPING_MS)
    expect(items('choice')).toEqual([])
    expect(chat.store.get()).toMatchObject({ editor: { text: 'ya' }, dialog: { selected: 1 } })
    await question()
    expect(chat.store.get().dialog?.type).toBe('approval')
  })

  it.each([
    'yes, but wait',
    'always ask me first',
    '1st wait, do not run that',
    'y\r',
    '\x1b[200~y\x1b[201~',
    '\x1b[200~yes\r\x1b[201~',
    `${UP}\r`,
    'y\x1b[0n',
    '\x1by',
  ])('is not answered by what comes in one read: %j', async (bytes) => {
    const { question, answer, items, chat } = await wait()
    await question()
    answer(bytes)
    expect(items('choice')).toEqual([])
    expect(chat.store.get().dialog?.type).toBe('approval')
  })

  it('is not answered by typing, which is kept for the prompt', async () => {
    const { question, press, clock, items, chat } = await wait()
    await question()
    for (const letter of 'always y a') {
      press(letter)
      clock.pass(TYPING_MS - 1)
    }
    clock.pass(TYPING_MS)
    press('\r')
    expect(items('choice')).toEqual([])
    expect(chat.store.get().editor.text).toBe('always y a')
    await question()
    press('\r')
    expect(items('choice')).toEqual([{ type: 'choice', text: 'list_topics: no' }])
  })

  it('takes Enter for what is safe, unless something else was selected', async () => {
    const safe = await wait()
    await safe.question()
    safe.press('\r')
    expect(safe.items('choice')).toEqual([{ type: 'choice', text: 'list_topics: no' }])
    const chosen = await wait()
    await chosen.question()
    chosen.press(UP)
    chosen.press('\r')
    expect(chosen.items('choice')).toEqual([{ type: 'choice', text: 'list_topics: yes' }])
  })

  it('takes a key with Enter after it', async () => {
    const { question, press, items } = await wait()
    await question()
    press('y')
    press('\r')
    expect(items('choice')).toEqual([{ type: 'choice', text: 'list_topics: yes' }])
  })

  it('is not answered by a key before Ctrl+C', async () => {
    const { question, press, clock, until, items } = await wait()
    await question()
    press('y')
    press('\x03')
    clock.pass(TYPING_MS)
    await until(idle)
    expect(items('choice')).toEqual([])
    expect(outputs(items('call'))).not.toContain('done')
  })

  it('that was there before the keys takes answers', async () => {
    const { chat, until } = await open()
    const call = { type: 'tool-call', id: '1', name: 'run', args: {} } as const
    chat.store.dispatch({ type: 'dialog', dialog: approvalDialog({ call, question: 'Really?' }) })
    await new Promise<void>((resolve) => chat.store.subscribe(resolve))
    const clock = createClock()
    createKeys(chat, clock.later)
    clock.pass(GRACE_MS)
    await until(({ asked }) => asked.isListening)
  })

  it('that follows another one is not answered by the same keys', async () => {
    const { send, question, answer, until, press, clock, items } = await open(asking(2))
    send('/stuck repeated-call')
    await question(approval('call_1'))
    answer('y')
    await until(approval('call_2'))
    press('y')
    clock.pass(TYPING_MS)
    expect(items('choice')).toHaveLength(1)
  })
})

describe('a configuration that needs trust', () => {
  /** A chat that asks about it; what was settled, and how often an agent was made. */
  async function openHeld(settle = async (isTrusted: boolean) => `settled: ${isTrusted}`) {
    const settled: boolean[] = []
    const opened = await open(
      {},
      {
        held: {
          question: 'x is not trusted',
          settle(isTrusted) {
            settled.push(isTrusted)
            return settle(isTrusted)
          },
        },
      },
    )
    const texts = () =>
      opened.chat.store.get().items.flatMap((item) => ('text' in item ? [item.text] : []))
    return { ...opened, settled, texts }
  }

  it.each([
    ['y', true],
    ['n', false],
    [ESC, false],
    ['\r', false],
  ])('is asked about first; %j means %s', async (key, isTrusted) => {
    const { chat, question, answer, until, settled, texts } = await openHeld()
    chat.submitAll(['What is unloop?'])
    await question()
    expect(texts()).toContain('x is not trusted')
    expect(texts()).not.toContain('What is unloop?')
    answer(key)
    await until(({ items }) => items.some(({ type }) => type === 'person'))
    expect(settled).toEqual([isTrusted])
    expect(texts()).toContain(`settled: ${isTrusted}`)
    await until(idle)
  })

  it('is not agreed to by what somebody types, nor twice', async () => {
    const { chat, press, question, answer, until, settled } = await openHeld()
    press('y')
    await question()
    press('yes please')
    expect(settled).toEqual([])
    expect(chat.store.get().editor.text).toBe('yyes please')
    await question()
    answer('y')
    answer('y')
    await until(({ dialog }) => dialog === undefined)
    expect(settled).toEqual([true])
  })

  it('is told of when it is wrong, and the chat goes on', async () => {
    const { question, answer, send, until, items } = await openHeld(async () => {
      throw new Error('it is not a configuration')
    })
    await question()
    answer('y')
    await until(({ dialog }) => dialog === undefined)
    expect(items('error')).toMatchObject([{ message: 'it is not a configuration' }])
    send('What is unloop?')
    await until(({ status }) => status.turn === 2)
    await until(idle)
  })
})

describe('the keys of dialogs', () => {
  const finding = { tool: 'read' } as Finding
  const call = { type: 'tool-call', id: '1', name: 'run', args: {} } as const
  const dialogs: Dialog[] = [
    { type: 'loop', finding, selected: 0 },
    { type: 'loop', finding, tool: 'read', selected: 0 },
    { type: 'hint', finding },
    approvalDialog({ call, question: 'Really?' }),
    {
      type: 'sessions',
      selected: 0,
      sessions: Array.from({ length: 12 }, () => ({
        title: 'y',
        messages: 1,
        changedAt: 0,
      })) as never,
    },
  ]

  it('never mean two things, and nothing has two keys', () => {
    const meanings = new Map<string, string>()
    const keys = new Map<string, string>()
    for (const { key, value } of dialogs.flatMap((dialog) => optionsOf(dialog, 0))) {
      if (key === undefined) continue
      const meaning = JSON.stringify(value)
      expect(meanings.get(key) ?? meaning).toBe(meaning)
      expect(keys.get(meaning) ?? key).toBe(key)
      meanings.set(key, meaning)
      keys.set(meaning, key)
    }
    expect([...meanings.keys()].sort()).toEqual(Object.values(KEYS).sort())
  })

  it('select what is safe first', () => {
    const safe = dialogs.flatMap((dialog) =>
      dialog.type === 'hint' ? [] : [optionsOf(dialog, 0)[dialog.selected]?.value],
    )
    expect(safe).toEqual([
      { type: 'choice', choice: { type: 'stop' } },
      { type: 'choice', choice: { type: 'stop' } },
      { type: 'approve', answer: 'no' },
      { type: 'session', index: 0 },
    ])
  })
})

/** An agent that is asked for the same call so many times, each of which asks first. */
const asking = (maxTurns: number): Partial<AgentOptions> => ({
  maxTurns,
  tools: [
    defineTool({
      name: 'list_topics',
      description: 'asks first',
      parameters: z.object({}),
      confirm: () => 'Really?',
      execute: () => 'done',
    }),
  ],
})

const approval = (id: string) => (state: ChatState) =>
  state.dialog?.type === 'approval' && state.dialog.approval.call.id === id

const outputs = (items: Item[]) => items.map((item) => item.type === 'call' && item.output)
