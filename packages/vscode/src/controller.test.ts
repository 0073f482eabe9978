import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSession } from '@unloop/agent'
import { createOracle, type Exchange, type Provider, startProvider } from '@unloop/testing'
import { type ChoiceName, inEnglish } from 'unloop/words'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatItem, ContextPart } from './chat/item.js'
import { createController } from './controller.js'
import type { Ports } from './ports.js'
import type { Status, ToView } from './protocol.js'
import { PROVIDERS } from './settings.js'
import { createChatStore } from './store.js'

let folder: string
let clock = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-controller-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A controller on ports that write down what they are told. */
function open(options: Partial<Ports> & { settings?: Record<string, unknown> } = {}) {
  const { settings = {}, ...ports } = options
  const seen = {
    posted: [] as ToView[],
    messages: [] as string[],
    problems: [] as string[],
    questions: [] as string[],
    log: [] as string[],
    statuses: [] as Status[],
  }
  const write = (level: string) => (text: string) => seen.log.push(`${level} ${text}`)
  const controller = createController({
    t: inEnglish,
    post: (message) => seen.posted.push(message),
    showLoop: async (text) => {
      seen.messages.push(text)
      return undefined
    },
    askHint: async () => undefined,
    showQuestion: (text) => seen.questions.push(text),
    isChatVisible: () => true,
    showProblem: (text) => seen.problems.push(text),
    act: () => {},
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    existingFiles: async (paths) => paths.filter((path) => path === 'a.ts'),
    openFile: async () => {},
    copy: async () => {},
    insert: async () => {},
    pickModel: async () => {},
    setting: (name) => settings[name],
    settingsWritten: async () => {},
    context: () => [],
    engine: () => import('./engine.js'),
    openOptions: () => ({ folders: [], env: {} }),
    keyOf: async () => undefined,
    store: createChatStore(folder),
    onStatus: async (status) => void seen.statuses.push(status),
    onFindings: () => {},
    now: () => ++clock,
    ...ports,
  })
  return { controller, seen, settings }
}

/** What the person is shown of how things stand. */
function statusIn({ controller, seen }: ReturnType<typeof open>): Status {
  controller.tellStatus()
  const { reading, isStopped, ...status } = seen.statuses.at(-1) as Status
  return { ...status, isStopped, ...(reading && { reading }) }
}

const typesOf = (items: readonly ChatItem[]) => items.map(({ type }) => type)
const lastOf = <T extends ChatItem['type']>(items: readonly ChatItem[], type: T) =>
  items.findLast((item) => item.type === type) as Extract<ChatItem, { type: T }> | undefined

describe('a message', () => {
  it('is answered, with calls and text as they come', async () => {
    const { controller, seen } = open()
    await controller.send('How does the ladder work?')
    expect(typesOf(controller.items)).toEqual(['person', 'answer', 'call', 'answer'])
    expect(lastOf(controller.items, 'answer')?.text).toContain('a warning')
    expect(lastOf(controller.items, 'call')).toMatchObject({ name: 'read_topic', state: 'done' })
    expect(seen.posted.some(({ type }) => type === 'delta')).toBe(true)
    expect(seen.statuses.at(-1)).toMatchObject({ isBusy: false, model: 'embedded/demo' })
  })

  it('takes along what the editor shows, and not what the person removed', async () => {
    const file: ContextPart = {
      ...{ kind: 'file', id: 'file a.ts', label: 'a.ts', path: 'a.ts' },
      ...{ language: 'typescript', lines: [3, 3] },
    }
    const selection: ContextPart = {
      ...{ ...file, kind: 'selection', id: 'selection a.ts:1-2', label: 'a.ts:1-2' },
      ...{ lines: [1, 2], text: 'const a = 1' },
    }
    const { controller, seen } = open({ context: () => [file, selection] })
    await controller.receive({ type: 'remove-context', id: 'file a.ts' })
    expect(seen.posted.at(-1)).toEqual({ type: 'context', parts: [selection] })
    await controller.send('What is this?')
    expect(lastOf(controller.items, 'person')?.context).toEqual([selection])
    const session = readFileSync(sessionFile(), 'utf8')
    expect(session).toContain('selected, lines 1 to 2 of a.ts')
    expect(session).not.toContain('open file: a.ts')
  })

  it('has an id that is the id of the prompt', async () => {
    const { controller } = open()
    await controller.send('hello')
    const { id } = lastOf(controller.items, 'person') ?? {}
    expect(readFileSync(sessionFile(), 'utf8')).toContain(`"promptId":"${id}"`)
  })

  it('keeps what was answered so far when another chat is begun', async () => {
    let begun = () => {}
    const isAnswering = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { controller } = open({
      post: (message) => message.type === 'delta' && begun(),
    })
    const sent = controller.send('/stuck chanting')
    await isAnswering
    const shown = lastOf(controller.items, 'answer')?.text
    controller.newChat()
    await sent
    const [earlier] = controller.earlierChats()
    expect(lastOf(earlier?.items ?? [], 'answer')?.text).toBe(shown)
  })

  it('leaves the chat to the next window when this one is closed, once the last word is written', async () => {
    let begun = () => {}
    const isAnswering = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { controller } = open({ post: (message) => message.type === 'delta' && begun() })
    const sent = controller.send('/stuck chanting')
    await isAnswering
    const disposed = controller.dispose()
    expect(statusIn(open()).reading).toBe('open-elsewhere')
    await disposed
    const session = readFileSync(sessionFile(), 'utf8')
    const next = open()
    expect(lastOf(next.controller.items, 'person')).toMatchObject({ text: '/stuck chanting' })
    expect(statusIn(next).reading).toBeUndefined()
    await sent
    expect(readFileSync(sessionFile(), 'utf8')).toBe(session)
  })

  it('asks for the focus until the view has taken it, and no longer', async () => {
    const { controller, seen } = open()
    const asked = () => seen.posted.filter(({ type }) => type === 'focus').length
    controller.focus()
    await controller.receive({ type: 'ready' })
    expect(asked()).toBe(2)
    await controller.receive({ type: 'focused' })
    await controller.receive({ type: 'ready' })
    expect(asked()).toBe(2)
  })

  it('never has a sign that is beyond its limit', async () => {
    const { controller, seen } = open({ settings: { guardMode: 'observe', maxTurns: 12 } })
    await controller.send('/stuck repeated-call')
    const signs = seen.statuses.flatMap(({ sign }) => sign ?? [])
    expect(signs.length).toBeGreaterThan(0)
    expect(signs.filter(({ count, limit }) => count > limit)).toEqual([])
  })

  it('can be stopped', async () => {
    const { controller } = open()
    const sent = controller.send('/stuck chanting')
    controller.stop()
    await sent
    expect(lastOf(controller.items, 'notice')?.text).toBe('Stopped.')
  })

  it('that is sent to a new chat does not reach the old one', async () => {
    const { controller } = open()
    const old = controller.send('/stuck chanting')
    controller.newChat()
    await controller.send('hello')
    await old
    expect(typesOf(controller.items)).toEqual(['person', 'answer'])
    expect(readFileSync(sessionFile(), 'utf8').includes('"content":"/stuck')).toBe(false)
    const [earlier] = controller.earlierChats()
    expect(typesOf(earlier?.items ?? [])).toEqual(['person'])
  })

  describe('that is sent while another is answered', () => {
    const said = (items: readonly ChatItem[]) =>
      items.flatMap((item) => (item.type === 'person' ? [item.text] : []))
    const waitingIn = (posted: ToView[]) => {
      const last = posted.findLast((message) => message.type === 'waiting')
      return last?.type === 'waiting' ? last.messages : []
    }

    it('waits where it can be seen, and is sent afterwards', async () => {
      const { controller, seen } = open()
      const first = controller.send('hello')
      await controller.send('How does the ladder work?')
      await controller.send('thanks')
      expect(said(controller.items)).toEqual(['hello'])
      expect(waitingIn(seen.posted).map(({ text }) => text)).toEqual([
        ...['How does the ladder work?', 'thanks'],
      ])
      await first
      expect(said(controller.items)).toEqual(['hello', 'How does the ladder work?', 'thanks'])
      expect(typesOf(controller.items).at(-1)).toBe('answer')
      expect(waitingIn(seen.posted)).toEqual([])
    })

    it('can be removed', async () => {
      const { controller, seen } = open()
      const first = controller.send('hello')
      await controller.send('never mind')
      const [{ id = '' } = {}] = waitingIn(seen.posted)
      await controller.receive({ type: 'remove-waiting', id })
      await first
      expect(said(controller.items)).toEqual(['hello'])
    })

    it.each([
      ['the person stops the agent', '/stuck chanting', true],
      ['the agent gets stuck', '/stuck repeated-call', false],
    ])('goes back to where it was written when %s', async (_, text, isStopped) => {
      const { controller, seen } = open()
      const first = controller.send(text)
      await controller.send('and then this')
      if (isStopped) controller.stop()
      await first
      expect(said(controller.items)).toEqual([text])
      expect(seen.posted).toContainEqual({ type: 'give-back', text: 'and then this' })
    })

    it('is kept for a chat that cannot be seen', async () => {
      let isVisible = false
      const { controller, seen } = open({ isChatVisible: () => isVisible })
      const first = controller.send('/stuck repeated-call')
      await controller.send('and then this')
      await first
      expect(seen.posted).not.toContainEqual(expect.objectContaining({ type: 'give-back' }))
      isVisible = true
      await controller.receive({ type: 'ready' })
      expect(seen.posted).toContainEqual({ type: 'give-back', text: 'and then this' })
    })
  })

  it('that needs permission says so, and its question ends with the run', async () => {
    const { controller, seen } = open({
      openOptions: () => ({ folders: [{ name: 'shop', path: folder }], env: {} }),
    })
    const sent = controller.send('write notes.txt with "remember the milk"')
    await expect.poll(() => seen.questions).toEqual(['edit_file needs your permission'])
    expect(seen.statuses.at(-1)?.questions).toBe(1)
    expect(lastOf(controller.items, 'call')?.state).toBe('waiting')
    controller.stop()
    await sent
    expect(lastOf(controller.items, 'question')).toMatchObject({
      ...{ answer: false, isCancelled: true },
    })
    expect(seen.statuses.at(-1)?.questions).toBe(0)
    expect(lastOf(controller.items, 'call')?.state).toBe('skipped')
    expect(readdirSync(folder)).not.toContain('notes.txt')
  })

  it('that is allowed for good is not asked again in this chat', async () => {
    const { controller, seen } = open({
      openOptions: () => ({ folders: [{ name: 'shop', path: folder }], env: {} }),
    })
    for (const name of ['a', 'b']) {
      const sent = controller.send(`write ${name}.txt with "${name}"`)
      if (name === 'a') {
        await expect.poll(() => seen.questions).toHaveLength(1)
        const { id = '' } = lastOf(controller.items, 'question') ?? {}
        await controller.receive({ type: 'answer', id, isAgreed: true, isForGood: true })
      }
      await sent
    }
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['a.txt', 'b.txt']))
    controller.newChat()
    const sent = controller.send('write c.txt with "c"')
    await expect.poll(() => seen.questions).toHaveLength(2)
    controller.stop()
    await sent
  })

  it('fails in words the person can use when there is no key', async () => {
    const { controller, seen } = open({ settings: { model: 'openai/gpt-5' } })
    await controller.send('hello')
    expect(lastOf(controller.items, 'error')).toMatchObject({
      message: 'openai/gpt-5 needs an API key',
      actions: ['set-key', 'open-settings', 'retry'],
    })
    expect(seen.statuses.at(-1)?.isBusy).toBe(false)
  })
})

/** What is saved of the last chat. */
function savedItems(): readonly ChatItem[] {
  const store = createChatStore(folder)
  return store.read(store.ids()[0] ?? '')?.items ?? []
}

const sessionFile = () => {
  const store = createChatStore(folder)
  return store.sessionPath(store.ids()[0] ?? '')
}

describe('a provider', () => {
  let provider: Provider
  afterEach(() => provider.close())
  const keyOf = ({ headers }: Pick<Exchange, 'headers'>) =>
    [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']].join('')
  const toolsIn = (exchange: Exchange | undefined) => JSON.stringify(exchange?.body)

  it.each([
    ['openai', 'openai/gpt-5', '/v1'],
    ['anthropic', 'anthropic/claude-sonnet-4-5', ''],
    ['google', 'google/gemini-2.5-flash', ''],
    ['compatible', 'compatible/qwen3', '/v1'],
  ])(
    '%s that refuses the key is asked with the corrected one, in the same chat',
    async (name, model, path) => {
      provider = await startProvider((request) =>
        keyOf(request).includes('right-key') ? { text: 'Here I am.' } : { status: 401 },
      )
      let key = 'wrong-key'
      const settings = { model, baseUrl: { [name]: provider.url + path } }
      const { controller } = open({ settings, keyOf: async () => key })
      await controller.send('hello')
      expect(lastOf(controller.items, 'error')).toMatchObject({
        message: expect.stringContaining('does not accept the key'),
        actions: ['set-key', 'open-settings', 'resume', 'retry'],
      })
      key = 'right-key'
      await controller.receive({ type: 'act', action: 'resume' })
      expect(lastOf(controller.items, 'answer')?.text).toBe('Here I am.')
      key = 'wrong-again'
      await controller.send('hello')
      expect(typesOf(controller.items).at(-1)).toBe('error')
      key = 'right-key-2'
      await controller.send('hello')
      expect(typesOf(controller.items).at(-1)).toBe('answer')
      const kept = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      expect(kept.join('')).not.toMatch(/(right|wrong)-key/)
    },
  )

  it('without a key is asked the same message once there is one', async () => {
    provider = await startProvider(() => ({ text: 'Here I am.' }))
    let key: string | undefined
    const settings = { model: 'openai/gpt-5', baseUrl: { openai: `${provider.url}/v1` } }
    const { controller } = open({ settings, keyOf: async () => key })
    await controller.send('hello')
    expect(typesOf(controller.items)).toEqual(['person', 'error'])
    key = 'right-key'
    await controller.receive({ type: 'act', action: 'retry' })
    expect(lastOf(controller.items, 'answer')?.text).toBe('Here I am.')
    expect(typesOf(controller.items).filter((type) => type === 'person')).toHaveLength(1)
    expect(JSON.stringify(provider.exchanges[0]?.body)).toContain('hello')
  })

  it('that fails can be asked again, and the failed answer is taken back', async () => {
    let isBroken = true
    provider = await startProvider(({ body }) => {
      if (!isBroken) return { text: 'Here I am.' }
      return JSON.stringify(body).includes('"tool"')
        ? { status: 400 }
        : { calls: [{ name: 'list_topics' }] }
    })
    const settings = {
      model: 'compatible/qwen3',
      baseUrl: { compatible: `${provider.url}/v1` },
    }
    const { controller } = open({ settings })
    await controller.send('hello')
    expect(typesOf(controller.items)).toEqual(['person', 'call', 'error'])
    isBroken = false
    const { actions = [] } = lastOf(controller.items, 'error') ?? {}
    expect(actions).toContain('retry')
    await controller.receive({ type: 'act', action: 'retry' })
    expect(lastOf(controller.items, 'call')).toMatchObject({ isUndone: true, state: 'done' })
    expect(lastOf(controller.items, 'answer')?.text).toBe('Here I am.')
    const asked = JSON.stringify(provider.exchanges.at(-1)?.body)
    expect(asked.match(/hello/g)).toHaveLength(1)
    expect(asked).not.toContain('list_topics({')
  })

  it('gets its key at its own address, whatever the address of another is', async () => {
    provider = await startProvider(() => ({ text: 'Here I am.' }))
    const stranger = await startProvider(() => ({ text: 'Thank you for the key.' }))
    const baseUrl = Object.fromEntries(
      PROVIDERS.filter((name) => name !== 'openai').map((name) => [name, `${stranger.url}/v1`]),
    )
    const { controller } = open({
      settings: { model: 'openai/gpt-5', 'judge.model': 'openai/gpt-5-mini', baseUrl },
      openOptions: () => ({ folders: [], env: { OPENAI_BASE_URL: `${provider.url}/v1` } }),
      keyOf: async (name) => `key-of-${name}`,
    })
    await controller.send('hello')
    expect(lastOf(controller.items, 'answer')?.text).toBe('Here I am.')
    expect(provider.exchanges.map(keyOf)).toEqual(['Bearer key-of-openai'])
    expect(stranger.exchanges).toEqual([])
    await stranger.close()
  })

  it('is told of the tools as soon as the folder is trusted, and not before', async () => {
    provider = await startProvider(() => ({ text: 'Fine.' }))
    let trusted: string | undefined
    const { controller } = open({
      settings: { model: 'compatible/qwen3', baseUrl: { compatible: `${provider.url}/v1` } },
      openOptions: () => ({ folders: trusted ? [{ name: 'shop', path: trusted }] : [], env: {} }),
    })
    await controller.send('hello')
    trusted = folder
    await controller.send('hello')
    trusted = undefined
    await controller.send('hello')
    const told = provider.exchanges.map((exchange) => toolsIn(exchange).includes('read_file'))
    expect(told).toEqual([false, true, false])
    expect(toolsIn(provider.exchanges[2])).toContain('Fine.')
  })
})

describe('an answer with many calls', () => {
  let server: Server
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta }] })}\n\n`
  const call = (index: number) =>
    chunk({
      tool_calls: [
        {
          ...{ index, id: `call_${index}`, type: 'function' },
          function: { name: 'read_file', arguments: JSON.stringify({ path: `f${index}` }) },
        },
      ],
    })

  it.each(['compatible', 'ollama', 'lmstudio', 'vllm'])(
    'of %s closes at the call that is refused: the server never gets to the fifth',
    async (name) => {
      let requests = 0
      let onClose = () => {}
      const closed = new Promise<void>((resolve) => {
        onClose = resolve
      })
      server = createServer((request, response) => {
        requests++
        response.once('close', onClose)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        // it waits with the fifth call until its client is gone
        request.resume().once('end', () => response.write([0, 1, 2, 3].map(call).join('')))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const { controller } = open({
        settings: {
          ...{ model: `${name}/gemini-3-pro-preview`, preset: 'deepv' },
          baseUrl: { [name]: `http://127.0.0.1:${port}/v1` },
        },
        openOptions: () => ({ folders: [{ name: 'work', path: folder }], env: {} }),
      })
      await controller.send('Read all files.')
      await closed
      expect(requests).toBe(1)
      expect(lastOf(controller.items, 'loop')?.finding).toMatchObject({ count: 4 })
      const calls = controller.items.filter(({ type }) => type === 'call')
      expect(calls).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'skipped' })))
    },
  )
})

describe('a loop', () => {
  it('stops the stream, shows a message and the evidence, is saved and logged', async () => {
    const { controller, seen } = open()
    await controller.send('/stuck repeated-call')
    expect(typesOf(controller.items).at(-1)).toBe('loop')
    expect(seen.messages).toEqual([
      expect.stringMatching(/^The agent is stuck and was stopped: list_topics was called \d times/),
    ])
    expect(lastOf(controller.items, 'loop')?.finding).toMatchObject({
      sample: 'list_topics({})',
      tool: 'list_topics',
    })
    expect(
      seen.log.filter((line) => line.startsWith('warn loop detected: repeated-call')),
    ).toHaveLength(1)
    expect(seen.log.join('\n')).toMatch(/debug guard enforce, repeated-call \d of \d/)
    expect(typesOf(savedItems()).at(-1)).toBe('loop')
    const { loops = 0, struggles = 0, ...status } = seen.statuses.at(-1) ?? {}
    expect(status).toMatchObject({ isStopped: true, isBusy: false })
    expect(loops + struggles).toBe(3)
    expect(controller.items.filter(({ isLoop }) => isLoop).length).toBeGreaterThan(3)
  })

  it('is in the status before a message tells of it, though the run has not ended', async () => {
    const order: string[] = []
    const { controller } = open({
      onStatus: async ({ isStopped }) => {
        if (isStopped && order.length === 0) order.push('status')
        // what the editor is told last is shown last
        await new Promise((resolve) => setImmediate(resolve))
        if (isStopped && order.length === 1) order.push('shown')
      },
      showLoop: async () => {
        order.push('message')
        return 'stop'
      },
    })
    await controller.send('/stuck repeated-call')
    await expect.poll(() => controller.openLoop).toBeUndefined()
    expect(order).toEqual(['status', 'shown', 'message'])
  })

  it('that was decided before its message could be shown has none', async () => {
    let show = () => {}
    const isShown = new Promise<void>((resolve) => {
      show = resolve
    })
    const { controller, seen } = open({ onStatus: () => isShown })
    await controller.send('/stuck repeated-call')
    await controller.send('hello')
    show()
    await isShown
    await controller.settingsChanged()
    expect(seen.messages).toEqual([])
  })

  it('is shown even where nothing can be saved, and that is said once', async () => {
    const store = createChatStore(folder)
    const { controller, seen } = open({
      store: {
        ...store,
        save() {
          throw new Error('disk full')
        },
      },
    })
    await controller.send('/stuck repeated-call')
    expect(seen.messages).toHaveLength(1)
    expect(seen.problems).toEqual(['Cannot save the chat: disk full'])
  })

  it('that is only likely is listed and logged, and nobody is interrupted', async () => {
    const { openAgent, checkGuard } = await import('./engine.js')
    const oracle = createOracle('tool-call', (_, count) => (count > 2 ? 'likely' : undefined))
    const { controller, seen } = open({
      settings: { maxTurns: 8 },
      engine: async () => ({
        checkGuard,
        openAgent: ({ settings, ...rest }) =>
          openAgent({ ...rest, settings: { ...settings, guard: { detectors: [oracle] } } }),
      }),
    })
    await controller.send('/stuck repeated-call')
    expect(controller.items.filter(({ type }) => type === 'warning')).toMatchObject([
      { finding: { certainty: 'likely' }, isObserved: false },
    ])
    const isPosted = (message: ToView) => message.type === 'item' && message.item.type === 'warning'
    expect(seen.posted.find(isPosted)).toMatchObject({
      loop: {
        facts: expect.arrayContaining([expect.objectContaining({ value: 'the model was told' })]),
      },
    })
    expect(seen.messages).toEqual([])
    expect(seen.log.filter((line) => line.startsWith('warn'))).toEqual([])
    expect(seen.log.join('\n')).toContain('info struggling, the model is told: oracle (told)')
    expect(seen.statuses.at(-1)).toMatchObject({ loops: 0, struggles: 1, isStopped: false })
    expect(lastOf(controller.items, 'notice')).toMatchObject({ actions: ['resume', 'retry'] })
  })

  it('that heeds its warning goes on by itself', async () => {
    const { controller, seen } = open()
    await controller.send('/stuck repeated-call heed')
    expect(typesOf(controller.items)).toContain('warning')
    expect(typesOf(controller.items).at(-1)).toBe('answer')
    expect(seen.messages).toEqual([])
  })

  it('is only listed in observe mode', async () => {
    const { controller, seen } = open({ settings: { guardMode: 'observe', maxTurns: 8 } })
    await controller.send('/stuck repeated-call')
    expect(lastOf(controller.items, 'warning')).toMatchObject({ isObserved: true })
    expect(seen.messages).toEqual([])
    expect(lastOf(controller.items, 'notice')).toMatchObject({ actions: ['resume', 'retry'] })
    const { length } = controller.items
    await controller.receive({ type: 'act', action: 'resume' })
    expect(controller.items.length).toBeGreaterThan(length)
  })

  it('goes unseen with the guard off', async () => {
    const { controller } = open({ settings: { guardMode: 'off', maxTurns: 8 } })
    await controller.send('/stuck repeated-call')
    expect(typesOf(controller.items)).not.toContain('warning')
  })

  it('says that a call was refused only where it was, and else that it had run', async () => {
    const outcomes = new Set<string>()
    for (const kind of ['repeated-call', 'call-cycle', 'failing', 'same-answer', 'paging']) {
      const { controller, seen } = open()
      controller.newChat()
      await controller.send(`/stuck ${kind}`)
      const results = readFileSync(sessionFile(), 'utf8')
      const said = seen.posted.flatMap((message) =>
        message.type === 'item' && message.item.type === 'warning'
          ? [{ ...message.item, words: message.loop?.facts.at(-1)?.value ?? '' }]
          : [],
      )
      const calls = controller.items.filter((item) => item.type === 'call')
      for (const { finding, words } of said.filter(({ finding }) => finding.action === 'block')) {
        const [call] = calls.filter(({ numbers }) => numbers?.includes(finding.lastEvent))
        if (words === 'the call was refused') {
          expect([kind, call?.state]).toEqual([kind, 'refused'])
          expect(results).toContain(JSON.stringify(`Not run. ${finding.advice}`).slice(1, -1))
        } else if (words === 'the call had run; its answer was withheld') {
          expect([kind, call?.state]).toEqual([kind, 'withheld'])
          expect(call?.numbers?.[1]).toBe(finding.lastEvent)
        } else expect([kind, words]).toEqual([kind, 'the model was told'])
        outcomes.add(words)
      }
    }
    expect([...outcomes].sort()).toEqual([
      ...[
        'the call had run; its answer was withheld',
        'the call was refused',
        'the model was told',
      ],
    ])
  })

  it.each([
    ['gemini-3-pro-preview', 'call-flood', 4],
    ['gemini-3-pro-preview', 'same-answer', 5],
    ['gemini-2.0-flash', 'identical-call', 10],
  ])('of %s in %s is caught at call %i with the rules of the fork', async (model, kind, count) => {
    const { controller } = open({ settings: { preset: 'deepv', model: `embedded/${model}` } })
    await controller.send(`/stuck ${kind}`)
    expect(lastOf(controller.items, 'loop')?.finding.count).toBe(count)
    expect(controller.items.filter(({ type }) => type === 'call')).toHaveLength(count - 1)
  })
})

it('a part of the guard that fails is shown, in the chat and in the status', async () => {
  const engine = await import('./engine.js')
  const { controller, seen } = open({
    engine: async () => ({
      ...engine,
      async openAgent(options) {
        const agent = await engine.openAgent(options)
        agent.guard.addFault('chanting', new Error('it broke'))
        return agent
      },
    }),
  })
  await controller.send('/stuck repeated-call')
  expect(lastOf(controller.items, 'notice')?.text).toBe(
    'Part of the guard failed: chanting: it broke. The rest continues.',
  )
  expect(seen.statuses.at(-1)).toMatchObject({ fault: 'chanting: it broke', isStopped: true })
  expect(seen.log).toContain('error part of the guard failed: chanting: it broke')
  expect(typesOf(controller.items).at(-1)).toBe('loop')
  controller.newChat()
  expect(seen.statuses.at(-1)).not.toHaveProperty('fault')
})

describe('the decision', () => {
  /** Presses this button in the message of the first loop, and waits for what follows. */
  async function press(button: ChoiceName, hint?: string) {
    const buttons: (ChoiceName | undefined)[] = [button]
    const settled: Promise<void>[] = []
    const parts = open({
      settings: { maxTurns: 20 },
      showLoop: async () => buttons.shift(),
      askHint: async () => hint,
      onStatus: async ({ isBusy }) => {
        if (!isBusy) idle?.()
      },
    })
    let idle: (() => void) | undefined
    await parts.controller.send('/stuck repeated-call')
    const before = parts.controller.items.length
    if (button !== 'stop' && hint !== '') {
      settled.push(
        new Promise((resolve) => {
          idle = resolve
        }),
      )
    }
    await Promise.all(settled)
    return { ...parts, before, added: parts.controller.items.slice(before) }
  }

  it('to stop leaves it stopped', async () => {
    const { controller, added } = await press('stop')
    await expect.poll(() => lastOf(controller.items, 'loop')?.decision).toContain('Stopped')
    expect(added).toEqual([])
  })

  it('to continue once runs on, and stops again', async () => {
    const { added } = await press('continue-once')
    expect(typesOf(added)).toContain('call')
    expect(typesOf(added).at(-1)).toBe('loop')
  })

  it('to allow the tool lets it repeat', async () => {
    const { added } = await press('allow')
    expect(typesOf(added)).not.toContain('loop')
    expect(added.filter(({ type }) => type === 'call')).toHaveLength(20)
  })

  it('to send a hint puts it before the model', async () => {
    const { controller, added } = await press('hint', 'Look under "ladder".')
    expect(readFileSync(sessionFile(), 'utf8')).toContain('Look under \\"ladder\\".')
    expect(
      controller.items.some((item) => item.type === 'loop' && item.decision?.includes('ladder')),
    ).toBe(true)
    expect(added.length).toBeGreaterThan(0)
  })

  it('to send a hint decides nothing when none is given', async () => {
    const { controller } = await press('hint', '')
    expect(controller.openLoop).toBeDefined()
  })

  it('to go back takes back what the loop has done', async () => {
    const { controller } = await press('go-back')
    expect(controller.items.some(({ isUndone }) => isUndone)).toBe(true)
  })

  it.each(['repeated-call', 'call-cycle', 'failing', 'paging', 'chanting', 'repeated-message'])(
    'to go back marks as taken back what is taken out of the conversation: %s',
    async (kind) => {
      const { controller } = open({ settings: { maxTurns: 60 } })
      await controller.send(`/stuck ${kind}`)
      const loop = controller.openLoop
      const { length } = controller.items
      await controller.decide(loop?.id ?? '', { type: 'go-back' })
      const { entries } = readSession(sessionFile())
      for (const item of controller.items.slice(0, length)) {
        if (item.type !== 'call' && item.type !== 'answer') continue
        const [number = -1] = item.numbers ?? []
        const isKept = entries.some(({ first, last }) => first <= number && number <= last)
        expect([number, item.isUndone ?? false]).toEqual([number, !isKept])
      }
      expect(controller.items.some(({ isUndone }) => isUndone)).toBe(true)
    },
  )

  it('to disable finds nothing any more in this session', async () => {
    const { controller, seen, added } = await press('disable')
    expect(typesOf(added)).not.toContain('warning')
    await controller.send('/stuck repeated-call')
    expect(typesOf(controller.items).slice(-1)).toEqual(['notice'])
    expect(seen.messages).toEqual([])
  })

  it('is not needed: another message goes on without it', async () => {
    const { controller } = open()
    await controller.send('/stuck repeated-call')
    await controller.send('hello')
    expect(lastOf(controller.items, 'loop')?.decision).toBe('You sent another message instead.')
    expect(controller.openLoop).toBeUndefined()
  })

  it('counts once, wherever it is made, and a second one shows the first', async () => {
    const { controller, seen } = open()
    await controller.send('/stuck repeated-call')
    const { id = '' } = controller.openLoop ?? {}
    await controller.decide(id, { type: 'stop' })
    const { length } = controller.items
    await controller.decide(id, { type: 'continue-once' })
    expect(controller.items).toHaveLength(length)
    expect(seen.posted.at(-1)).toEqual({ type: 'reveal', index: length - 1 })
  })
})

describe('after a restart', () => {
  it('the chat is there again, with the loop that waits for a decision', async () => {
    const first = open()
    await first.controller.send('How does the ladder work?')
    await first.controller.send('/stuck repeated-call')
    await first.controller.dispose()
    const again = open()
    expect(again.controller.items).toEqual(first.controller.items)
    await again.controller.receive({ type: 'ready' })
    expect(again.seen.posted.map(({ type }) => type)).toEqual([
      ...['start', 'chat', 'waiting', 'context', 'status'],
    ])
    expect(again.seen.statuses.at(-1)?.isStopped).toBe(true)
    const { id = '' } = again.controller.openLoop ?? {}
    await again.controller.decide(id, { type: 'continue-once' })
    expect(typesOf(again.controller.items).at(-1)).toBe('loop')
    expect(again.controller.items.length).toBeGreaterThan(first.controller.items.length)
  })

  it('a disabled guard stays disabled', async () => {
    const first = open({ settings: { maxTurns: 8 } })
    await first.controller.setGuardMode('off')
    await first.controller.send('hello')
    await first.controller.dispose()
    const again = open({ settings: { maxTurns: 8 } })
    again.controller.tellStatus()
    expect(again.seen.statuses.at(-1)?.guardMode).toBe('off')
    await again.controller.send('/stuck repeated-call')
    expect(typesOf(again.controller.items)).not.toContain('loop')
  })

  it('a conversation that cannot be read is put aside', async () => {
    const first = open()
    await first.controller.send('hello')
    const path = sessionFile()
    const { writeFileSync } = await import('node:fs')
    writeFileSync(path, 'damaged\nagain\n')
    await first.controller.dispose()
    const again = open()
    await again.controller.send('hello')
    expect(typesOf(again.controller.items).at(-1)).toBe('answer')
    expect(again.seen.log.join('\n')).toContain('a new one begins')
  })
})

describe('two windows of a workspace', () => {
  const said = ({ controller }: ReturnType<typeof open>) =>
    controller.items.flatMap((item) => (item.type === 'person' ? [item.text] : []))
  const gaveBack = ({ seen }: ReturnType<typeof open>) =>
    seen.posted.flatMap((message) => (message.type === 'give-back' ? [message.text] : []))

  async function openTwo() {
    const first = open()
    await first.controller.send('hello')
    return { first, second: open() }
  }

  it('see one chat, which one of them writes', async () => {
    const { first, second } = await openTwo()
    expect(said(second)).toEqual(['hello'])
    expect(statusIn(second).reading).toBe('open-elsewhere')
    expect(statusIn(first).reading).toBeUndefined()
    const session = readFileSync(sessionFile(), 'utf8')
    await second.controller.send('me too')
    await second.controller.settingsChanged()
    await second.controller.setGuardMode('off')
    expect(gaveBack(second)).toEqual(['me too'])
    expect(said(second)).toEqual(['hello'])
    expect(readFileSync(sessionFile(), 'utf8')).toBe(session)
  })

  it('where one reads, it sees what the other has saved', async () => {
    const { first, second } = await openTwo()
    await first.controller.send('How does the ladder work?')
    await second.controller.check()
    expect(second.controller.items).toEqual(first.controller.items)
    expect(statusIn(second).reading).toBe('open-elsewhere')
  })

  it('do not decide about the same loop', async () => {
    const first = open()
    await first.controller.send('/stuck repeated-call')
    const second = open()
    const { id = '' } = second.controller.openLoop ?? {}
    await second.controller.decide(id, { type: 'continue-once' })
    expect(second.controller.openLoop?.id).toBe(id)
    await first.controller.decide(id, { type: 'stop' })
    await second.controller.check()
    expect(second.controller.openLoop).toBeUndefined()
  })

  it('have the same list, which says what the other has open', async () => {
    const { first, second } = await openTwo()
    second.controller.newChat()
    await second.controller.send('thanks')
    const listed = ({ controller }: ReturnType<typeof open>) =>
      controller
        .earlierChats()
        .map(({ items, isOpenElsewhere }) => [lastOf(items, 'person')?.text, isOpenElsewhere])
    expect(listed(first)).toEqual([['thanks', true]])
    expect(listed(second)).toEqual([['hello', true]])
    await second.controller.dispose()
    expect(listed(first)).toEqual([['thanks', false]])
    const [earlier] = first.controller.earlierChats()
    if (earlier) first.controller.openChat(earlier)
    expect(said(first)).toEqual(['thanks'])
    expect(statusIn(first).reading).toBeUndefined()
    expect(said(open())).toEqual(['thanks'])
  })

  it('pass the chat on when one is closed', async () => {
    const { first, second } = await openTwo()
    await second.controller.check()
    expect(statusIn(second).reading).toBe('open-elsewhere')
    await first.controller.dispose()
    await second.controller.check()
    expect(statusIn(second).reading).toBeUndefined()
    await second.controller.send('thanks')
    expect(said(second)).toEqual(['hello', 'thanks'])
    expect(typesOf(second.controller.items).at(-1)).toBe('answer')
  })

  it('pass the chat on when one asks for it, with all that was said', async () => {
    const { first, second } = await openTwo()
    await second.controller.receive({ type: 'continue-here' })
    expect(statusIn(second).reading).toBe('requested')
    await first.controller.check()
    expect(statusIn(first).reading).toBe('open-elsewhere')
    await second.controller.check()
    expect(statusIn(second).reading).toBeUndefined()
    await second.controller.send('How does the ladder work?')
    await first.controller.check()
    expect(first.controller.items).toEqual(second.controller.items)
    expect(readSession(sessionFile()).entries.length).toBeGreaterThan(3)
    await first.controller.receive({ type: 'continue-here' })
    await second.controller.check()
    await first.controller.check()
    expect(statusIn(first).reading).toBeUndefined()
    expect(statusIn(second).reading).toBe('open-elsewhere')
  })

  it('pass on a chat in which an agent works: that is stopped, and what waited is given back', async () => {
    let begun = () => {}
    const isAnswering = new Promise<void>((resolve) => {
      begun = resolve
    })
    const first = open({
      post(message) {
        first.seen.posted.push(message)
        if (message.type === 'delta') begun()
      },
    })
    const sent = first.controller.send('/stuck chanting')
    await isAnswering
    await first.controller.send('and then?')
    const second = open()
    await second.controller.receive({ type: 'continue-here' })
    await first.controller.check()
    await second.controller.check()
    const session = readFileSync(sessionFile(), 'utf8')
    await sent
    expect(gaveBack(first)).toEqual(['and then?'])
    expect(statusIn(first)).toMatchObject({ isBusy: false, reading: 'open-elsewhere' })
    expect(statusIn(second).reading).toBeUndefined()
    expect(readFileSync(sessionFile(), 'utf8')).toBe(session)
    await second.controller.send('hello')
    expect(typesOf(second.controller.items).at(-1)).toBe('answer')
  })

  it('say so where the other does not answer, and begin a new chat', async () => {
    const { first, second } = await openTwo()
    await second.controller.receive({ type: 'continue-here' })
    for (let looks = 0; looks < 12; looks++) await second.controller.check()
    expect(second.seen.statuses.at(-1)?.reading).toBe('unanswered')
    await second.controller.receive({ type: 'new-chat' })
    expect(statusIn(second).reading).toBeUndefined()
    // it wants it no longer
    await first.controller.check()
    expect(statusIn(first).reading).toBeUndefined()
    await second.controller.send('thanks')
    expect(said(second)).toEqual(['thanks'])
    expect(said(first)).toEqual(['hello'])
  })

  it('begin with a chat of their own where the other has said nothing yet', async () => {
    const first = open()
    await first.controller.send('hello')
    first.controller.newChat()
    const second = open()
    expect(said(second)).toEqual([])
    expect(statusIn(second).reading).toBeUndefined()
    await second.controller.send('thanks')
    await first.controller.send('How does the ladder work?')
    expect(said(first)).toEqual(['How does the ladder work?'])
    expect(first.seen.problems.concat(second.seen.problems)).toEqual([])
  })
})

describe('settings', () => {
  it('take effect at once, and leave the conversation as it is', async () => {
    const { controller, settings, seen } = open()
    await controller.send('hello')
    Object.assign(settings, { model: 'embedded/gemini-2.0-flash', guardMode: 'observe' })
    await controller.settingsChanged()
    expect(seen.statuses.at(-1)).toMatchObject({
      ...{ model: 'embedded/gemini-2.0-flash', guardMode: 'observe' },
    })
    Object.assign(settings, { guardMode: 'enforce', preset: 'gemini-cli' })
    await controller.settingsChanged()
    await controller.send('/stuck identical-call')
    expect(lastOf(controller.items, 'loop')?.finding).toMatchObject({ count: 5 })
    expect(readFileSync(sessionFile(), 'utf8')).toContain('"content":"hello"')
  })

  it('that change while the agent is busy take effect right after', async () => {
    const { controller, settings, seen } = open()
    const sent = controller.send('/stuck repeated-call')
    Object.assign(settings, { model: 'embedded/gemini-2.0-flash' })
    await controller.settingsChanged()
    await sent
    expect(seen.statuses.at(-1)).toMatchObject({
      ...{ model: 'embedded/gemini-2.0-flash', isStopped: true },
    })
  })

  describe('that change right before, or while, a message is sent', () => {
    /** A controller whose agent is made in steps: it waits for `name` until it is let go. */
    function openSlowly(name: 'settingsWritten' | 'keyOf' | 'engine', settings = {}) {
      const waits: (() => void)[] = []
      const wait = () => new Promise<void>((resolve) => waits.push(resolve))
      let isSlow = true
      const slowly = async () => {
        if (isSlow) await wait()
      }
      const parts = open({
        settings,
        settingsWritten: async () => name === 'settingsWritten' && slowly(),
        async keyOf() {
          if (name === 'keyOf') await slowly()
          return undefined
        },
        async engine() {
          const engine = await import('./engine.js')
          if (name !== 'engine') return engine
          return {
            ...engine,
            async openAgent(options) {
              const agent = await engine.openAgent(options)
              await slowly()
              return agent
            },
          }
        },
      } as Partial<Ports> & { settings: Record<string, unknown> })
      return {
        ...parts,
        isWaiting: () => waits.length > 0,
        goOn() {
          isSlow = false
          for (const resolve of waits.splice(0)) resolve()
        },
      }
    }

    it.each(['settingsWritten', 'keyOf', 'engine'] as const)(
      'count for that message: during %s',
      async (step) => {
        const { controller, seen, settings, isWaiting, goOn } = openSlowly(step)
        const sent = controller.send('hello')
        await expect.poll(isWaiting).toBe(true)
        Object.assign(settings, { model: 'embedded/gemini-2.0-flash' })
        const changed = controller.settingsChanged()
        goOn()
        await Promise.all([sent, changed])
        const answered = seen.statuses.findLast(({ isBusy, turn }) => isBusy && turn > 0)
        expect(answered?.model).toBe('embedded/gemini-2.0-flash')
        expect(seen.statuses.at(-1)?.model).toBe('embedded/gemini-2.0-flash')
      },
    )

    it('take the blame for nothing once they are replaced', async () => {
      const { controller, settings, isWaiting, goOn } = openSlowly('keyOf', {
        model: 'openai/gpt-5',
      })
      const sent = controller.send('hello')
      await expect.poll(isWaiting).toBe(true)
      Object.assign(settings, { model: 'embedded' })
      goOn()
      await sent
      expect(typesOf(controller.items)).toEqual(['person', 'answer'])
    })

    it('count for the next one if the model was asked already, and the chat says so', async () => {
      let begun = () => {}
      const isAnswering = new Promise<void>((resolve) => {
        begun = resolve
      })
      const { controller, settings } = open({
        post: (message) => message.type === 'delta' && begun(),
      })
      const sent = controller.send('How does the ladder work?')
      await isAnswering
      Object.assign(settings, { model: 'embedded/gemini-2.0-flash' })
      await controller.settingsChanged()
      await sent
      await controller.send('hello')
      expect(typesOf(controller.items).slice(-3)).toEqual(['person', 'notice', 'answer'])
      expect(lastOf(controller.items, 'notice')?.text).toBe(
        'embedded/gemini-2.0-flash answers from here on.',
      )
    })
  })

  it('that leave no model are named in the status, and a key ends that', async () => {
    let key: string | undefined
    const { controller, settings, seen } = open({ keyOf: async () => key })
    await controller.send('hello')
    Object.assign(settings, { model: 'openai/gpt-5' })
    await controller.settingsChanged()
    expect(seen.statuses.at(-1)).toMatchObject({
      ...{ model: 'openai/gpt-5', problem: 'openai/gpt-5 needs an API key' },
    })
    key = 'a-key'
    await controller.settingsChanged()
    expect(seen.statuses.at(-1)).not.toHaveProperty('problem')
  })

  it('with a judge that cannot be used say so, and the chat goes on without it', async () => {
    const { controller } = open({ settings: { 'judge.model': 'openai/gpt-5-mini' } })
    await controller.send('hello')
    expect(typesOf(controller.items)).toEqual(['person', 'notice', 'answer'])
    expect(lastOf(controller.items, 'notice')?.text).toMatch(
      /^There is no judge: openai\/gpt-5-mini needs an API key\. /,
    )
    await controller.send('hello')
    expect(controller.items.filter(({ type }) => type === 'notice')).toHaveLength(1)
  })

  it('take effect with the next prompt, and leave the conversation as it is', async () => {
    const { controller, settings } = open()
    await controller.send('hello')
    Object.assign(settings, { preset: 'gemini-cli' })
    await controller.send('/stuck identical-call')
    expect(lastOf(controller.items, 'loop')?.finding).toMatchObject({
      detector: 'identical-call',
      count: 5,
    })
    expect(readFileSync(sessionFile(), 'utf8')).toContain('"content":"hello"')
  })

  it('that are wrong are named once, and the default stays', async () => {
    const { controller, seen } = open({
      settings: { preset: 'other', detectors: { 'repeated-call': { limit: -1 }, nope: true } },
    })
    await controller.send('/stuck repeated-call')
    await controller.send('hello')
    expect(seen.problems).toHaveLength(3)
    expect(seen.problems[0]).toContain('unloop.preset')
    expect(seen.problems[1]).toContain('repeated-call.limit')
    expect(lastOf(controller.items, 'loop')?.finding.detector).toBe('repeated-call')
  })
})
