import type { Agent, AgentOptions } from '@unloop/agent'
import {
  createAgent,
  createEmbeddedModel,
  createGuideTools,
  defineTool,
  demoPersonas,
} from '@unloop/agent'
import type { Key } from 'ink'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Chat, createChat } from './chat.js'
import { optionsOf } from './dialog.js'
import { createKeys } from './keys.js'
import type { ChatState, Item } from './state.js'

const noKey = Object.fromEntries(
  ['upArrow', 'downArrow', 'return', 'escape', 'ctrl', 'meta', 'tab'].map((name) => [name, false]),
) as unknown as Key

/** A chat with the embedded model, and the keys of somebody who sits before it. */
async function open(options: Partial<AgentOptions> = {}) {
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
    hasJudge: options.judge !== undefined,
    banner: ['hello'],
  })
  const press = createKeys(chat)
  return {
    chat,
    agent: agent as Agent,
    press: (input: string, key: Partial<Key> = {}) => press(input, { ...noKey, ...key }),
    /** Types a line and sends it. */
    send(line: string) {
      press(line, noKey)
      press('', { ...noKey, return: true })
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
    expect(status).toMatchObject({ model: 'embedded/demo', guard: 'on', turn: 2 })
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
    const { send, until, items } = await open()
    send('/stuck repeated-call')
    const { dialog } = await until(asked)
    expect(dialog).toMatchObject({ finding: { tool: 'list_topics', action: 'ask' } })
    expect(items('warning').length).toBeGreaterThan(0)
    expect(items('loop')).toHaveLength(1)
  })

  it('stops with Esc, and the next prompt begins anew', async () => {
    const { send, until, press, items } = await open()
    send('/stuck repeated-call')
    await until(asked)
    press('', { escape: true })
    expect(items('choice')).toHaveLength(1)
    send('What is unloop?')
    const { dialog, items: all } = await until(idle)
    expect(dialog).toBeUndefined()
    expect(all.at(-1)).toMatchObject({ type: 'answer' })
  })

  it('continues once, and asks again', async () => {
    const { send, until, press, items } = await open()
    send('/stuck repeated-call')
    await until(asked)
    const calls = items('call').length
    press('2')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('continued once') })
    await until(asked)
    expect(items('call').length).toBeGreaterThan(calls)
    expect(items('loop')).toHaveLength(2)
  })

  it('allows the tool', async () => {
    const { send, until, press } = await open({ maxTurns: 12 })
    send('/stuck repeated-call')
    await until(asked)
    press('3')
    const { items } = await until(idle)
    expect(items.at(-1)).toMatchObject({ text: expect.stringContaining('which is the limit') })
  })

  it('does not offer to allow a tool where none is to blame', async () => {
    const { send, until, press, items } = await open()
    send('/stuck chanting')
    await until(asked)
    press('5')
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
    const { chat, send, until, press } = await open()
    const offered = () => {
      const { dialog } = chat.store.get()
      const labels = dialog ? optionsOf(dialog, 0).map(({ label }) => label) : []
      return labels.some((label) => label.startsWith('allow'))
    }
    send(`/stuck ${kind}`)
    await until(asked)
    expect(offered()).toBe(isOffered)
    press(isOffered ? '4' : '3')
    expect(chat.store.get().dialog?.type).toBe('hint')
    press('', { escape: true })
    expect(offered()).toBe(isOffered)
  })

  it('asks about a verdict of the judge, and lists it among the loops', async () => {
    const judge = { model: createEmbeddedModel({ paceMs: 0 }) }
    const { send, until, press, items } = await open({ judge })
    send('/stuck judge')
    const { dialog } = await until(asked)
    expect(dialog).toMatchObject({ finding: { detector: 'judge', action: 'ask' } })
    expect(dialog && optionsOf(dialog, 0).map(({ label }) => label)).toHaveLength(5)
    press('', { escape: true })
    send('/loops')
    expect(items('notice').at(-1)).toMatchObject({
      text: expect.stringMatching(/^1\. judge\n(.|\n)*cost +\d+ events/),
    })
  })

  it('sends a hint that is typed into the dialog', async () => {
    const { agent, send, until, press } = await open()
    send('/stuck repeated-call')
    await until(asked)
    press('4')
    press('look in ')
    press('lib/')
    press('', { return: true })
    await until(asked)
    const told = agent.history.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(told).toContainEqual(expect.stringContaining('look in lib/'))
  })

  it('leaves the hint again with Esc', async () => {
    const { chat, send, until, press } = await open()
    send('/stuck repeated-call')
    await until(asked)
    press('4')
    press('never mind')
    press('', { escape: true })
    expect(chat.store.get()).toMatchObject({ dialog: { type: 'loop' }, editor: { text: '' } })
  })

  it('goes back, says what was removed and tries again', async () => {
    const { agent, send, until, press, items } = await open()
    send('/stuck repeated-call')
    await until(asked)
    const before = agent.history.length
    press('5')
    expect(agent.history.length).toBeLessThan(before)
    expect(items('choice')[0]).toMatchObject({
      text: expect.stringMatching(
        /went back to before the loop: \d+ messages with \d+ calls removed/,
      ),
    })
    await until(asked)
  })

  it('is disabled for the session and goes on with the same prompt', async () => {
    const { agent, send, until, press, items } = await open({ maxTurns: 10 })
    send('/stuck repeated-call')
    await until(asked)
    press('6')
    const { status } = await until(idle)
    expect(status.guard).toBe('off')
    expect(items('person')).toHaveLength(1)
    expect(
      agent.history.filter((message) => message.role === 'user' && !message.from),
    ).toHaveLength(1)
    send('/guard on')
    expect((await until(idle)).status.guard).toBe('on')
  })

  it('understands keys that arrive together', async () => {
    const { send, until, press, items } = await open()
    send('/stuck repeated-call')
    await until(asked)
    press('', { downArrow: true })
    press('', { upArrow: true })
    press('', { downArrow: true })
    press('', { return: true })
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('continued once') })
    await until(asked)
    press('4hint\r')
    expect(items('choice')[1]).toMatchObject({ text: 'hint to the model: hint' })
    await until(asked)
  })

  it('submits lines one after the other, commands among them', async () => {
    const { chat, until, press, items } = await open()
    press('a draft')
    chat.submitAll(['What is unloop?', '', '/stuck repeated-call', '/guard'])
    await until(asked)
    expect(items('person').map((item) => item.type === 'person' && item.text)).toEqual([
      'What is unloop?',
      '/stuck repeated-call',
    ])
    press('', { escape: true })
    await until((state) => state.items.at(-1)?.type === 'notice')
    expect(items('notice').at(-1)).toMatchObject({ text: 'the guard is on' })
    expect(chat.store.get().editor.text).toBe('a draft')
  })

  it('drops the lines that wait when it is stopped, and when it ends', async () => {
    const { chat, until, press, items } = await open()
    chat.submitAll(['What is unloop?', '/help'])
    press('', { escape: true })
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
    press('', { escape: true })
    await until(idle)
    expect(items('notice').at(-1)).toMatchObject({ text: 'stopped' })
    press('c', { ctrl: true })
    expect(chat.store.get().isLeaving).toBe(true)
    press('x')
    expect(chat.store.get().isLeaving).toBe(false)
    press('c', { ctrl: true })
    press('c', { ctrl: true })
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
    press('[200~')
    press('one\rtwo')
    press('', { return: true })
    press('three\r')
    press('[201~')
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
    press('', { upArrow: true })
    expect(text()).toBe('/loops')
    press('', { upArrow: true })
    expect(text()).toBe('/help')
    press('', { downArrow: true })
    press('', { downArrow: true })
    expect(text()).toBe('draft')
  })

  it.each([
    ['/help', '/stuck KIND [heed]'],
    ['/loops', 'no loop was found so far'],
    ['/guard', 'the guard is on'],
    ['/guard observe', 'the guard is observe'],
    ['/guard maybe', 'takes on, off or observe, got maybe'],
    ['/resume', 'no conversation was saved'],
    ['/lops', 'there is no /lops; did you mean loops?'],
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
      text: expect.stringMatching(/1\. repeated-call\n.*what .*list_topics.*cost .*events/s),
    })
  })

  it('asks before a tool that wants it: no, yes, always', async () => {
    const write = defineTool({
      name: 'list_topics',
      description: 'asks first',
      parameters: z.object({}),
      confirm: () => 'Really?',
      execute: () => 'done',
    })
    const { send, until, press, items } = await open({ tools: [write], maxTurns: 4 })
    const question = (id: string) => (state: ChatState) =>
      state.dialog?.type === 'approval' && state.dialog.approval.call.id === id
    send('/stuck repeated-call')
    await until(question('call_1'))
    press('', { escape: true })
    await until(question('call_2'))
    press('1')
    await until(question('call_3'))
    press('3')
    await until(idle)
    const outputs = items('call').map((item) => item.type === 'call' && item.output)
    expect(outputs).toEqual([expect.stringContaining('said no'), 'done', 'done', 'done'])
  })
})
