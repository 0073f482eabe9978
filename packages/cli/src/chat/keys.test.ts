import { createEmbeddedModel } from '@unloop/agent'
import { describe, expect, it } from 'vitest'
import { openChat } from '../../test/open-chat.js'
import type { ChatState, Item } from './state.js'

const ESC = '\x1b'
const UP = '\x1b[A'
const DOWN = '\x1b[B'
const idle = ({ isRunning }: ChatState) => !isRunning

describe('Ctrl+R', () => {
  const past = ['fix the tests', 'why is it slow?', 'run the tests again']
  const search = async () => {
    const opened = await openChat({}, { pastPrompts: () => past })
    const state = () => opened.chat.store.get()
    return { ...opened, state }
  }

  it('finds what was sent last, then what was sent before it', async () => {
    const { press, state } = await search()
    press('\x12')
    expect(state().search).toEqual({ query: '' })
    press('te')
    press('sts')
    expect(state().search).toEqual({ query: 'tests', match: 'run the tests again' })
    press('\x12')
    expect(state().search).toEqual({ query: 'tests', match: 'fix the tests' })
    press(ESC)
    expect(state()).toMatchObject({ search: undefined, editor: { text: 'fix the tests' } })
  })

  it('says that nothing was found, and goes on when the query is shorter', async () => {
    const { press, state } = await search()
    press('\x12')
    press('slowx')
    expect(state().search).toEqual({ query: 'slowx' })
    press('\x7f')
    expect(state().search).toMatchObject({ match: 'why is it slow?' })
  })

  it('sends what was found with Enter, and can be left with Ctrl+G and Ctrl+C', async () => {
    const { press, state, until, items } = await search()
    press('draft')
    press('\x12')
    press('slow')
    press('\x07')
    expect(state()).toMatchObject({ search: undefined, editor: { text: 'draft' } })
    press('\x12')
    press('\x03')
    expect(state()).toMatchObject({ search: undefined, isLeaving: true })
    press('\x12')
    press('slow')
    press('\r')
    await until(idle)
    expect(items('person')).toEqual([{ type: 'person', text: 'why is it slow?' }])
  })

  it('hands a key that moves over to the prompt', async () => {
    const { press, state } = await search()
    press('\x12')
    press('slow')
    press('\x01')
    expect(state().editor).toEqual({ text: 'why is it slow?', cursor: 0 })
  })
})

describe('Esc on a line', () => {
  it('clears it, and undo and Ctrl+Y bring it back', async () => {
    const { press, chat } = await openChat()
    const text = () => chat.store.get().editor.text
    press('a long prompt')
    press('\x7f')
    press(ESC)
    expect(text()).toBe('')
    press('\x1f')
    expect(text()).toBe('a long promp')
    press(ESC)
    press('\x19')
    expect(text()).toBe('a long promp')
  })
})

describe('lines that arrive in one read', () => {
  const long = 'a line that nobody types in the time between two reads\r'.repeat(10)
  const sent = (items: readonly Item[]) => items.map((item) => item.type === 'person' && item.text)

  it('are sent one after the other if somebody may have typed them', async () => {
    const { press, chat, items } = await openChat()
    press('/loops\r/guard\rdraft')
    expect(sent(items('person'))).toEqual(['/loops', '/guard'])
    expect(chat.store.get().editor.text).toBe('draft')
  })

  it('are kept together if nobody types that fast, with what comes right after them', async () => {
    const { press, clock, chat, items } = await openChat()
    press(`${long}and`)
    press(' more\r/loops\r')
    expect(items('person')).toEqual([])
    expect(chat.store.get().editor.text).toBe(`${long.replaceAll('\r', '\n')}and more\n/loops\n`)
    clock.pass(1000)
    press(ESC)
    press('/loops\r')
    expect(sent(items('person'))).toEqual(['/loops'])
  })

  it('are sent in a terminal that marks what is pasted, however many', async () => {
    const { press, chat, items } = await openChat()
    press('\x1b[200~x\x1b[201~')
    press(ESC)
    press('/loops\r'.repeat(60))
    expect(items('person')).toHaveLength(60)
    expect(chat.store.get().editor.text).toBe('')
  })
})

describe('Ctrl+D', () => {
  it('deletes forward, and leaves on an empty line', async () => {
    const { press, chat } = await openChat()
    press('ab')
    press('\x01')
    press('\x04')
    expect(chat.store.get().editor.text).toBe('b')
    press('\x04')
    press('\x04')
    await chat.done
  })
})

describe('keys of the screen', () => {
  it('draw everything again, and show it in full', async () => {
    const { press, chat } = await openChat()
    const { drawn } = chat.store.get()
    press('\x0c')
    expect(chat.store.get()).toMatchObject({ drawn: drawn + 1, isExpanded: false })
    press('\x0f')
    expect(chat.store.get()).toMatchObject({ drawn: drawn + 2, isExpanded: true })
    press('\x0f')
    expect(chat.store.get()).toMatchObject({ drawn: drawn + 3, isExpanded: false })
  })

  it('suspend the chat, and write nothing', async () => {
    let suspended = 0
    const { press, chat } = await openChat({}, {}, { onSuspend: () => suspended++ })
    press('a\x1ab')
    expect({ suspended, text: chat.store.get().editor.text }).toEqual({ suspended: 1, text: 'ab' })
  })
})

describe('the list of completions', () => {
  it('opens while a command is written, and closes when it is not one any more', async () => {
    const { press, chat } = await openChat()
    const texts = () => chat.store.get().completion?.options.map(({ text }) => text)
    press('/')
    expect(texts()?.[0]).toBe('/help')
    press('co')
    expect(texts()).toEqual(['/cost', '/compact'])
    press('\x7f')
    press('\x7f')
    press('\x7f')
    expect(texts()).toBeUndefined()
  })

  it('is chosen from with arrows and Tab', async () => {
    const { press, chat } = await openChat()
    press('/co')
    press(DOWN)
    press('\t')
    expect(chat.store.get().editor.text).toBe('/compact ')
  })

  it('runs a command with Enter, however little of it is written', async () => {
    const { press, items } = await openChat()
    press('/lo')
    press('\r')
    expect(items('notice').at(-1)).toMatchObject({ text: 'no loops so far' })
  })

  it('asks for what a command needs', async () => {
    const { press, chat, items } = await openChat()
    press('/ren')
    press('\r')
    expect(chat.store.get().editor.text).toBe('/rename ')
    expect(items('person')).toEqual([])
  })

  it('offers arguments, and sends what was written unless one was chosen', async () => {
    const { press, items, chat } = await openChat()
    press('/guard o')
    expect(chat.store.get().completion).toMatchObject({ selected: -1 })
    press('\r')
    expect(items('notice').at(-1)).toMatchObject({ text: expect.stringContaining('got "o"') })
    press('/guard o')
    press(DOWN)
    press('\r')
    expect(chat.store.get().editor.text).toBe('/guard observe ')
    press('\r')
    expect(items('notice').at(-1)).toMatchObject({ text: 'guard mode: observe' })
  })

  it('is closed with Esc, which then does what it did before', async () => {
    const { press, chat } = await openChat()
    press('/co')
    press(ESC)
    expect(chat.store.get()).toMatchObject({ completion: undefined, editor: { text: '/co' } })
    press(ESC)
    expect(chat.store.get().editor.text).toBe('')
  })

  it('opens again with Tab', async () => {
    const { press, chat } = await openChat()
    press('/co')
    press(ESC)
    press('\t')
    expect(chat.store.get().completion).toMatchObject({ selected: 0, from: 0 })
  })

  it('does not open for what is pasted or recalled', async () => {
    const { press, chat, send } = await openChat()
    press('\x1b[200~/co\x1b[201~')
    expect(chat.store.get().completion).toBeUndefined()
    press(ESC)
    send('/loops')
    press(UP)
    expect(chat.store.get()).toMatchObject({ completion: undefined, editor: { text: '/loops' } })
  })

  it('is there during an answer, too', async () => {
    const { press, chat, send, until } = await openChat({
      model: createEmbeddedModel({ paceMs: 1 }),
      guardMode: 'off',
    })
    send('/stuck repeated-call')
    press('/lo')
    expect(chat.store.get()).toMatchObject({ isRunning: true, completion: { selected: 0 } })
    press(ESC)
    press(ESC)
    await until(idle)
  })
})
