import type { AgentOptions, Message, Model, SavedSession } from '@unloop/agent'
import { createEmbeddedModel, defineTool, ModelError } from '@unloop/agent'
import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClock } from '../../test/clock.js'
import { GRACE_MS, openChat, TYPING_MS } from '../../test/open-chat.js'
import { describeCall } from './describe-call.js'
import { approvalDialog, optionsOf } from './dialog.js'
import { createKeys } from './keys.js'
import type { ChatState, Dialog, Item } from './state.js'

const ESC = '\x1b'
const UP = '\x1b[A'
const DOWN = '\x1b[B'

const idle = (state: ChatState) => !state.isRunning
const asked = (state: ChatState) => !state.isRunning && state.dialog?.type === 'loop'

describe('a chat', () => {
  it('answers, and counts turns and tokens', async () => {
    const { send, until, items } = await openChat()
    send('What is unloop?')
    const { status } = await until(idle)
    expect(items('person')).toEqual([{ type: 'person', text: 'What is unloop?' }])
    expect(items('call')).toHaveLength(1)
    expect(items('answer').length).toBeGreaterThan(1)
    expect(status).toMatchObject({ model: 'embedded/demo', guard: 'enforce', turn: 2 })
    expect(status.tokens).toBeGreaterThan(0)
  })

  it('shows an early sign before anything is stopped', async () => {
    const { send, until, chat } = await openChat({ maxTurns: 3 })
    send('/stuck repeated-call')
    await until(idle)
    expect(chat.store.get().status.sign).toMatchObject({ detector: 'repeated-call', limit: 4 })
    expect(chat.store.get().dialog).toBeUndefined()
  })

  it('asks what to do about a loop', async () => {
    const { send, items, question } = await openChat()
    send('/stuck repeated-call')
    const { dialog } = await question(asked)
    expect(dialog).toMatchObject({ finding: { tool: 'list_topics', action: 'ask' } })
    expect(items('warning').length).toBeGreaterThan(0)
    expect(items('loop')).toHaveLength(1)
  })

  it('stops with Esc, and the next prompt begins anew', async () => {
    const { send, until, press, items, question } = await openChat()
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
    const { send, items, question, answer } = await openChat()
    send('/stuck repeated-call')
    await question(asked)
    const calls = items('call').length
    answer('2')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('Continued once') })
    await question(asked)
    expect(items('call').length).toBeGreaterThan(calls)
    expect(items('loop')).toHaveLength(2)
  })

  it('allows the tool', async () => {
    const { send, until, question, answer } = await openChat({ maxTurns: 12 })
    send('/stuck repeated-call')
    await question(asked)
    answer('3')
    const { items } = await until(idle)
    expect(items.at(-1)).toMatchObject({ text: expect.stringContaining('turns, the limit') })
  })

  it('does not offer to allow a tool where none is to blame', async () => {
    const { send, items, question, answer } = await openChat()
    send('/stuck chanting')
    await question(asked)
    answer('3')
    expect(items('choice')).toEqual([])
    await question(asked)
    answer('6')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('Disabled') })
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
    const { chat, send, press, question, answer } = await openChat()
    const offered = () => {
      const { dialog } = chat.store.get()
      const labels = dialog ? optionsOf(dialog, 0).map(({ label }) => label) : []
      return labels.some((label) => label.startsWith('Allow'))
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
    const { send, press, items, question } = await openChat({ judge })
    send('/stuck judge')
    const { dialog } = await question(asked)
    expect(dialog).toMatchObject({ finding: { detector: 'judge', action: 'ask' } })
    expect(dialog && optionsOf(dialog, 0).map(({ label }) => label)).toHaveLength(5)
    press(ESC)
    send('/loops')
    expect(items('notice').at(-1)).toMatchObject({
      text: expect.stringMatching(/^1\. stuck: judge\n(.|\n)*Cost +\d+ events/),
    })
  })

  it('sends a hint that is typed into the dialog', async () => {
    const { agent, send, press, question, answer } = await openChat()
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
    const { chat, send, press, question, answer } = await openChat()
    send('/stuck repeated-call')
    await question(asked)
    answer('4')
    press('never mind')
    press(ESC)
    expect(chat.store.get()).toMatchObject({ dialog: { type: 'loop' }, editor: { text: '' } })
  })

  it('goes back, says what was removed and tries again', async () => {
    const { agent, send, items, question, answer } = await openChat()
    send('/stuck repeated-call')
    await question(asked)
    const before = agent.history.length
    answer('5')
    expect(agent.history.length).toBeLessThan(before)
    expect(items('choice')[0]).toMatchObject({
      text: expect.stringMatching(
        /Went back to before the loop.*Removed: \d+ messages with \d+ calls/,
      ),
    })
    await question(asked)
  })

  it('is disabled for the session and goes on with the same prompt', async () => {
    const { agent, send, until, items, question, answer } = await openChat({ maxTurns: 10 })
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
    const { send, press, items, question, answer } = await openChat()
    send('/stuck repeated-call')
    await question(asked)
    press(DOWN)
    press(UP)
    press(DOWN)
    press('\r')
    expect(items('choice')[0]).toMatchObject({ text: expect.stringContaining('Continued once') })
    await question(asked)
    answer('4')
    press('hint\r')
    expect(items('choice')[1]).toMatchObject({ text: 'Hint to the model: hint' })
    await question(asked)
  })

  it('submits lines one after the other, commands among them', async () => {
    const { chat, until, press, items, question } = await openChat()
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

  it('puts the lines that wait back when it is stopped, and drops them when it ends', async () => {
    const { chat, until, press, items } = await openChat()
    chat.submitAll(['What is unloop?', 'one', 'two'])
    press(ESC)
    await until(idle)
    expect(chat.store.get()).toMatchObject({ queued: [], editor: { text: 'one\ntwo' } })
    press(ESC)
    chat.submitAll(['/exit', 'What is unloop?'])
    await chat.done
    expect(items('person').map((item) => item.type === 'person' && item.text)).toEqual([
      'What is unloop?',
      '/exit',
    ])
  })

  it('stops an answer with Esc and leaves with Ctrl+C twice', async () => {
    const { chat, send, until, press, items } = await openChat({
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
    const { chat, press } = await openChat()
    press('abc\x7f\x7fd\x01x')
    expect(chat.store.get().editor.text).toBe('xad')
    press('\x03\x03')
    await chat.done
  })

  it('keeps what is pasted in several lines, and sends none of them', async () => {
    const { chat, press } = await openChat()
    press('\x1b[200~one\rtwo\rthree\r\x1b[201~')
    expect(chat.store.get().editor.text).toBe('one\ntwo\nthree\n')
    expect(chat.store.get().isRunning).toBe(false)
  })

  it('recalls earlier prompts with the arrow keys', async () => {
    const { chat, send, press } = await openChat()
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
    ['/lops', 'unknown command /lops; did you mean /loops?'],
    ['/stuck chantin', 'did you mean chanting?'],
    ['/stuck judge', '"judge": { "model": "embedded" }'],
  ])('answers %s', async (line, answer) => {
    const { send, items } = await openChat()
    send(line)
    expect(items('notice').at(-1)).toMatchObject({ text: expect.stringContaining(answer) })
  })

  it('lists loops with evidence, and tells of them in observe mode without stopping', async () => {
    const { send, until, items } = await openChat({ guardMode: 'observe', maxTurns: 6 })
    send('/stuck repeated-call')
    await until(idle)
    expect(items('observed').length).toBeGreaterThan(0)
    send('/loops')
    expect(items('notice').at(-1)).toMatchObject({
      text: expect.stringMatching(/1\. stuck: repeated-call\n.*What .*list_topics.*Cost .*events/s),
    })
  })

  it('asks before a tool that wants it: no, yes, always', async () => {
    const { send, until, question, answer, press, items } = await openChat(asking(4))
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

describe('the evidence of a loop that goes on', () => {
  it.each(['repeated-call', 'failing', 'call-cycle'])(
    'is that of the last report after each "continue once": %s',
    async (kind) => {
      const { agent, send, question, answer, until } = await openChat({ maxTurns: 60 })
      const events: number[] = []
      const tokens: number[] = []
      const counts: number[] = []
      send(`/stuck ${kind}`)
      for (let times = 0; times < 4; times++) {
        const { dialog } = await question(asked)
        if (dialog?.type !== 'loop') throw new Error('there is no dialog')
        expect(dialog.finding).toBe(agent.stopped)
        events.push(dialog.finding.wasted.events)
        tokens.push(dialog.finding.wasted.tokens ?? 0)
        counts.push(dialog.finding.count)
        answer('2')
        await until((state) => state.dialog !== dialog)
      }
      for (const figures of [events, tokens]) {
        expect(figures).toEqual([...new Set(figures)].sort((a, b) => a - b))
      }
      // a lap of a cycle takes several calls, so two reports may be within the same one
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
      expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0)
    },
  )

  it('has the calls of the last laps, to be seen side by side', async () => {
    const { send, question } = await openChat()
    send('/stuck call-cycle')
    const { dialog } = await question(asked)
    if (dialog?.type !== 'loop') throw new Error('there is no dialog')
    const names = dialog.calls.map(({ name, args }) => name + args)
    expect(names).toHaveLength(9)
    expect(names.slice(0, 3)).toEqual(names.slice(3, 6))
  })

  it('has no calls where the loop is in the text', async () => {
    const { send, question } = await openChat()
    send('/stuck chanting')
    expect((await question(asked)).dialog).toMatchObject({ type: 'loop', calls: [] })
  })
})

describe('a line that is sent during an answer', () => {
  const slow = { model: createEmbeddedModel({ paceMs: 1 }), guardMode: 'off' as const }
  const sent = (items: Item[]) => items.map((item) => item.type === 'person' && item.text)

  it('waits for its end, and is sent then', async () => {
    const { chat, send, until, items } = await openChat()
    send('What is unloop?')
    send('And a guard?')
    send('/stuck repeated-call')
    expect(chat.store.get()).toMatchObject({
      isRunning: true,
      queued: ['And a guard?', '/stuck repeated-call'],
      editor: { text: '' },
    })
    await until(asked)
    expect(sent(items('person'))).toEqual([
      'What is unloop?',
      'And a guard?',
      '/stuck repeated-call',
    ])
    expect(chat.store.get().queued).toEqual([])
  })

  it('is put back into the prompt when the answer is stopped, before what is written there', async () => {
    const { chat, send, until, press, items } = await openChat(slow)
    send('/stuck repeated-call')
    await until((state) => state.items.some(({ type }) => type === 'call'))
    send('one')
    send('two')
    press('three')
    press(ESC)
    await until(idle)
    expect(chat.store.get()).toMatchObject({ queued: [], editor: { text: 'one\ntwo\nthree' } })
    expect(sent(items('person'))).toEqual(['/stuck repeated-call'])
  })

  it('is edited with Up, the last one first', async () => {
    const { chat, send, until, press } = await openChat(slow)
    send('/stuck repeated-call')
    await until((state) => state.items.some(({ type }) => type === 'call'))
    send('one')
    send('two')
    press(UP)
    expect(chat.store.get()).toMatchObject({ queued: ['one'], editor: { text: 'two' } })
    press('!')
    press('\r')
    expect(chat.store.get().queued).toEqual(['one', 'two!'])
    press(ESC)
    await until(idle)
  })

  it('is obeyed at once if it is a question about the chat', async () => {
    const { chat, send, until, press, items } = await openChat(slow)
    send('/stuck repeated-call')
    await until((state) => state.items.some(({ type }) => type === 'call'))
    send('/cost')
    expect(chat.store.get()).toMatchObject({ isRunning: true, queued: [] })
    expect(items('notice').at(-1)).toMatchObject({ text: expect.stringContaining('this session') })
    press(ESC)
    await until(idle)
  })

  it('is not sent to a model that has failed', async () => {
    const { chat, send, until } = await openChat({ model: failing(), retries: 0 })
    send('hello')
    send('again')
    await until(idle)
    expect(chat.store.get()).toMatchObject({ queued: [], editor: { text: 'again' } })
  })
})

describe('what became of a call', () => {
  const call = (items: Item[]) => items.find((item) => item.type === 'call')

  it('that was stopped while it ran is not "not run"', async () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const tool = defineTool({
      name: 'list_topics',
      description: 'never ends',
      parameters: z.object({}),
      execute: () => {
        begin()
        return new Promise<string>(() => {})
      },
    })
    const { send, press, until, items } = await openChat({ tools: [tool] })
    send('/stuck repeated-call')
    await begun
    press(ESC)
    await until(idle)
    const stopped = call(items('call'))
    expect(stopped).toMatchObject({ outcome: 'stopped' })
    expect(stopped?.type === 'call' && describeCall(stopped)).toContain('stopped while it ran')
  })

  it('that the person declined, or the guard refused, says so', async () => {
    const declined = await openChat(asking(1))
    declined.send('/stuck repeated-call')
    await declined.question()
    declined.press(ESC)
    await declined.until(idle)
    expect(call(declined.items('call'))).toMatchObject({ outcome: 'declined' })

    const refused = await openChat()
    refused.send('/stuck repeated-call')
    await refused.question(asked)
    expect(refused.items('call').map((item) => item.type === 'call' && item.outcome)).toContain(
      'refused',
    )
    expect(refused.items('warning')).toContainEqual(expect.objectContaining({ call: 'refused' }))
  })
})

describe('a conversation that is resumed', () => {
  const header = { id: 'a1', name: 'Fruit', model: 'embedded/demo', folder: '/' }
  const resume = async (createdAt: string, ...messages: Message[]) => {
    const entries = messages.map((message) => ({ message, first: 0, last: 0 }))
    const { items } = await openChat(
      {},
      { saved: { header: { ...header, createdAt }, entries } as SavedSession },
    )
    return items('notice').map((item) => item.type === 'notice' && item.text)
  }
  const asking: Message = { role: 'user', content: 'Hello?' }

  it('says which it is and how old, and whether it waits for an answer', async () => {
    const before = new Date(Date.now() - 7_500_000).toISOString()
    expect(await resume(before, asking)).toEqual([
      'hello',
      'resumed Fruit, begun 2 hours ago',
      'the last request was not answered; /retry asks again',
    ])
    const answered: Message = { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }
    expect(await resume('nonsense', asking, answered)).toEqual(['hello', 'resumed Fruit'])
  })
})

describe('a call that ends the run', () => {
  it('is shown, so that one can see what the model did last', async () => {
    const { send, question, answer } = await openChat()
    send('/stuck call-cycle')
    for (const name of ['list_topics', 'read_topic', 'search_guide']) {
      const { items, live } = await question(asked)
      expect(items.slice(-2)).toMatchObject([
        { type: 'call', name, outcome: 'refused' },
        { type: 'loop' },
      ])
      expect(live.calls).toEqual([])
      answer('2')
    }
  })
})

describe('slash commands', () => {
  it('/stuck says what it needs where another model is used', async () => {
    const { send, items } = await openChat({}, { isEmbedded: () => false })
    send('/stuck failing')
    expect(items('notice').at(-1)).toMatchObject({
      text: '/stuck needs the embedded model; /model embedded uses it',
    })
  })

  it('/retry asks again, and the request does not stand there twice', async () => {
    const { agent, send, until } = await openChat()
    send('What is unloop?')
    await until(idle)
    const before = agent.history.length
    send('/retry')
    await until(idle)
    expect(agent.history.length).toBe(before)
    expect(agent.history.filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  it('/retry asks again after an error', async () => {
    const { agent, send, until, items } = await openChat({ model: failing(1), retries: 0 })
    send('hello')
    await until(idle)
    expect(items('error')).toHaveLength(1)
    send('/retry')
    await until(idle)
    expect(items('answer').at(-1)).toMatchObject({ text: 'here I am' })
    expect(agent.history.filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  it('/retry asks again after a loop, which leaves the history', async () => {
    const { agent, send, until } = await openChat({ maxTurns: 3 })
    send('/stuck repeated-call')
    await until(idle)
    send('/retry')
    const { items: all } = await until(idle)
    expect(all.at(-1)).toMatchObject({ text: expect.stringContaining('ended after 3 turns') })
    expect(agent.turn).toBe(3)
    const stuck = await openChat()
    stuck.send('/stuck repeated-call')
    await stuck.question(asked)
    stuck.press(ESC)
    const { length } = stuck.agent.history
    stuck.send('/retry')
    await stuck.question(asked)
    expect(stuck.agent.history).toHaveLength(length)
  })

  it('/retry without a request says so', async () => {
    const { send, until, items } = await openChat()
    send('/retry')
    await until(idle)
    expect(items('error')).toHaveLength(1)
  })

  it('/clear begins a new conversation, in which nothing is allowed yet', async () => {
    const { chat, send, until } = await openChat()
    send('What is unloop?')
    await until(idle)
    const { drawn } = chat.store.get()
    send('/clear')
    const state = await until(({ isRunning, items }) => !isRunning && items.length === 1)
    expect(state.items).toMatchObject([{ type: 'notice', text: /new conversation/ }].map(matching))
    expect(state.drawn).toBeGreaterThan(drawn)
    expect(state.status.turn).toBe(0)
  })

  it('/model uses another model, and one that cannot be opened changes nothing', async () => {
    const { send, until, items } = await openChat(
      {},
      {
        async openModel(name) {
          if (name === 'none/x') throw new ModelError('configuration', 'no such provider')
          return createEmbeddedModel({ name })
        },
      },
    )
    send('/model other')
    expect((await until(idle)).status.model).toBe('embedded/other')
    send('/model none/x')
    expect((await until(idle)).status.model).toBe('embedded/other')
    expect(items('error')).toMatchObject([{ message: 'no such provider' }])
    expect(items('notice').at(-1)).toMatchObject({
      text: 'this chat continues with embedded/other',
    })
  })

  it('/model without a name lists those that can be chosen, filtered by typing', async () => {
    const { chat, send, until, press } = await openChat(
      {},
      { listModels: async () => ['embedded', 'openai/gpt-5', 'openai/gpt-4.1'] },
    )
    send('/model')
    await until(({ dialog, isRunning }) => dialog?.type === 'models' && !isRunning)
    press('gpt')
    press('-5')
    expect(chat.store.get().dialog).toMatchObject({ models: ['openai/gpt-5'], query: 'gpt-5' })
    press('\x7f')
    expect(chat.store.get().dialog).toMatchObject({
      models: ['openai/gpt-5', 'openai/gpt-4.1'],
    })
    press(DOWN)
    press('\r')
    expect((await until(idle)).status.model).toBe('embedded/openai/gpt-4.1')
  })

  it('/compact says if there is nothing to shorten', async () => {
    const { send, until, items } = await openChat()
    send('/compact')
    await until(idle)
    expect(items('notice').at(-1)).toMatchObject({
      text: 'the history is as short as it can be',
    })
  })

  it('/cost says what was used, and what loops wasted', async () => {
    const { send, items, question, press } = await openChat()
    send('/stuck repeated-call')
    await question(asked)
    press(ESC)
    send('/cost')
    const { text } = items('notice').at(-1) as { text: string }
    expect(text).toMatch(/this request +\d.* tokens in, \d.* out, \$0\.00/)
    expect(text).toMatch(/loops +1 loop, which cost \d+ events/)
  })

  it('/rename names the conversation', async () => {
    const names: string[] = []
    const { send, until } = await openChat(
      {},
      { rename: (name) => names.push(name), name: () => names.at(-1) },
    )
    send('/rename the login bug')
    expect((await until(idle)).status.name).toBe('the login bug')
  })

  it('/resume shows what matches, filtered by typing, and resumes it', async () => {
    const sessions = [
      { id: 'a', title: 'fix the tests', messages: 4, changedAt: 0 },
      { id: 'b', name: 'login bug', title: 'why?', messages: 2, changedAt: 0 },
    ]
    const read: string[] = []
    const { chat, send, press, until } = await openChat(
      {},
      {
        listSessions: () => sessions,
        readSession: (id) => {
          read.push(id)
          throw new Error('it is gone')
        },
      },
    )
    send('/resume nothing')
    expect(chat.store.get().items.at(-1)).toMatchObject({
      text: 'no conversation in this folder matches nothing',
    })
    send('/resume')
    press('bug log')
    expect(chat.store.get().dialog).toMatchObject({ sessions: [{ id: 'b' }], query: 'bug log' })
    press('\r')
    await until(idle)
    expect(read).toEqual(['b'])
    expect(chat.store.get().items.at(-1)).toMatchObject({ type: 'error', message: 'it is gone' })
  })
})

describe('permissions', () => {
  /** An agent that runs these commands one after the other, each of which asks first. */
  const running = (...commands: string[][]): Partial<AgentOptions> => ({
    model: scripted(commands.map((scopes) => ({ scopes }))),
    tools: [
      defineTool({
        name: 'run',
        description: 'runs',
        parameters: z.object({ scopes: z.array(z.string()) }),
        confirm: ({ scopes }) => `Run ${scopes}?`,
        scopes: ({ scopes }) => scopes,
        execute: () => 'done',
      }),
    ],
  })

  it('are for a command, and for this conversation', async () => {
    const { send, question, answer, until, items } = await openChat(
      running(['git status'], ['git status'], ['git push']),
    )
    send('go')
    const { dialog } = await question()
    expect(dialog && optionsOf(dialog, 0).map(({ label }) => label)).toEqual([
      'yes',
      'no',
      'always: git status',
    ])
    answer('a')
    await question(({ dialog }) => dialog?.type === 'approval' && dialog.scopes[0] === 'git push')
    answer('n')
    await until(idle)
    expect(items('choice')).toMatchObject([
      { text: 'always allowed in this chat: git status' },
      { text: 'run: no' },
    ])
  })

  it('of several commands are granted at once, and asked for unless all are', async () => {
    const { send, question, answer, until, items } = await openChat(
      running(['cd', 'npm test'], ['npm test'], ['npm test', 'rm']),
    )
    send('go')
    await question()
    answer('a')
    await question(({ dialog }) => dialog?.type === 'approval' && dialog.scopes.includes('rm'))
    answer('n')
    await until(idle)
    expect(outputs(items('call')).filter((output) => output === 'done')).toHaveLength(2)
  })
})

describe('a question', () => {
  const asked = (state: ChatState) => state.dialog?.type === 'approval'

  /** A chat in which a tool wants to be run. */
  async function wait() {
    const chat = await openChat(asking(1))
    chat.send('/stuck repeated-call')
    await chat.until(asked)
    return chat
  }

  it('is not answered before it was there for a while', async () => {
    const { press, clock, question, chat, items } = await wait()
    for (const bytes of ['y', 'a', '\r', ESC, UP]) press(bytes)
    clock.pass(TYPING_MS)
    expect(items('choice')).toEqual([])
    expect(chat.store.get()).toMatchObject({ editor: { text: 'ya\n' }, dialog: { selected: 1 } })
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
    expect(chat.store.get().editor.text).toBe('always y a\n')
    await question()
    press('\r')
    expect(items('choice')).toEqual([{ type: 'choice', text: 'list_topics: no' }])
  })

  it('keeps lines apart that are typed meanwhile', async () => {
    const { press, items, chat } = await wait()
    for (const typed of ['What is unloop?', '\r', '\r', 'half a draft']) press(typed)
    expect(items('choice')).toEqual([])
    expect(chat.store.get().editor.text).toBe('What is unloop?\nhalf a draft')
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
    const { chat, until } = await openChat()
    const call = { type: 'tool-call', id: '1', name: 'run', args: {} } as const
    chat.store.dispatch({
      type: 'dialog',
      dialog: approvalDialog({ call, question: 'Really?', scopes: ['run'] }),
    })
    await new Promise<void>((resolve) => chat.store.subscribe(resolve))
    const clock = createClock()
    createKeys(chat, { later: clock.later })
    clock.pass(GRACE_MS)
    await until(({ asked }) => asked.isListening)
  })

  it('that follows another one is not answered by the same keys', async () => {
    const { send, question, answer, until, press, clock, items } = await openChat(asking(2))
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
    const opened = await openChat(
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
    { type: 'loop', finding, calls: [], selected: 0 },
    { type: 'loop', finding, calls: [], tool: 'read', selected: 0 },
    { type: 'hint', finding, calls: [] },
    approvalDialog({ call, question: 'Really?', scopes: ['run'] }),
    {
      type: 'sessions',
      selected: 0,
      query: '',
      sessions: Array.from({ length: 12 }, (_, index) => ({
        id: `${index}`,
        title: 'y',
        messages: 1,
        changedAt: 0,
      })),
    },
    { type: 'models', selected: 0, query: '', models: ['a', 'n'] },
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
    expect([...meanings.keys()].sort()).toEqual([...'123456any'])
  })

  it('select what is safe first', () => {
    const safe = dialogs.flatMap((dialog) =>
      dialog.type === 'hint' ? [] : [optionsOf(dialog, 0)[dialog.selected]?.value],
    )
    expect(safe).toEqual([
      { type: 'choice', choice: { type: 'stop' } },
      { type: 'choice', choice: { type: 'stop' } },
      { type: 'approve', answer: 'no' },
      { type: 'session', id: '0' },
      { type: 'model', name: 'a' },
    ])
  })
})

const matching = ({ type, text }: { type: string; text: RegExp }) => ({
  type,
  text: expect.stringMatching(text),
})

/** A model that fails, for good or so many times, and then answers. */
function failing(times = Number.POSITIVE_INFINITY): Model {
  let left = times
  return {
    name: 'test/failing',
    contextTokens: 10_000,
    async *stream() {
      if (left-- > 0) throw new ModelError('refused', 'the provider said no')
      yield { type: 'text', text: 'here I am' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}

/** A model that makes these calls, one in each turn, and is done. */
function scripted(calls: readonly unknown[]): Model {
  let turn = 0
  return {
    name: 'test/scripted',
    contextTokens: 10_000,
    async *stream() {
      const args = calls[turn++]
      if (args) yield { type: 'tool-call', id: `call_${turn}`, name: 'run', args }
      else yield { type: 'text', text: 'done' }
      yield { type: 'finish', reason: args ? 'tool-calls' : 'stop' }
    },
  }
}

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
