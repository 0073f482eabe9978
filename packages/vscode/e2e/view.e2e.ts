import type { Finding } from 'unloop'
import { inEnglish } from 'unloop/words'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ChatItem, ItemOf } from '../src/chat/item.js'
import { loopWordsOf } from '../src/chat/loop-words.js'
import type { Status, ToView } from '../src/protocol.js'
import { openViewPage, type ViewPage } from './view-page.js'

let view: ViewPage
beforeAll(async () => {
  view = await openViewPage()
})
afterAll(() => view?.close())
beforeEach(async () => {
  await view.post({ type: 'waiting', messages: [] }, { type: 'context', parts: [] }, chatOf())
  await view.post(status())
  await view.page.locator('textarea').fill('')
  await view.page.locator('textarea').blur()
  await view.forget()
})

const chatOf = (...items: ChatItem[]): ToView => ({
  type: 'chat',
  items: items.map((item) => ({ item, ...loopWordsOf(item, items, inEnglish) })),
})
const put = (index: number, item: ChatItem): ToView => ({
  ...{ type: 'item', index, item },
  ...loopWordsOf(item, [item], inEnglish),
})
const status = (more: Partial<Status> = {}): ToView => ({
  type: 'status',
  status: {
    ...{ isBusy: false, model: 'embedded/demo', guardMode: 'enforce', turn: 1, tokens: 1 },
    ...{ loops: 0, struggles: 0, isStopped: false, questions: 0, ...more },
  },
})
const finding: Finding = {
  ...{ detector: 'failing', kind: 'errors', certainty: 'certain', detail: 'it failed 4 times' },
  ...{ advice: '', identity: 'x', count: 4, period: 1, firstEvent: 0, lastEvent: 9, sample: '' },
  ...{ strike: 1, action: 'stop', wasted: { events: 4, characters: 0 } },
}
const loop: ItemOf<'loop'> = { type: 'loop', id: 'L', finding, at: 1 }
const call = (state: ItemOf<'call'>['state']): ItemOf<'call'> => ({
  ...{ type: 'call', id: 'c', name: 'run_command', args: 'command: npm test', state, output: '' },
})
const hasFocus = (selector: string) =>
  view.page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)})`)
const announced = () => view.page.locator('p.hidden[role=status]').textContent()

describe('a chat that another window has open', () => {
  const reading = () => view.page.locator('.reading')

  it('can be read, but not written to or decided in, and says how to get it', async () => {
    await view.post(chatOf(loop), status())
    await view.page.locator('textarea').focus()
    await view.post(status({ reading: 'open-elsewhere' }))
    await reading().getByText('open in another window').waitFor()
    await expect.poll(() => hasFocus('.reading button')).toBe(true)
    for (const hidden of ['textarea', '.choices button', 'button.send']) {
      await view.page.locator(hidden).first().waitFor({ state: 'hidden' })
    }
    await reading().getByRole('button', { name: 'Continue here' }).click()
    await reading().getByRole('button', { name: 'New chat' }).click()
    await expect.poll(() => view.told('continue-here')).toHaveLength(1)
    await expect.poll(() => view.told('new-chat')).toHaveLength(1)
  })

  it('is asked for once, and is written to again when it is there', async () => {
    await view.post(status({ reading: 'requested' }))
    const button = reading().getByRole('button', { name: 'Continue here' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    await view.post(status({ reading: 'unanswered' }))
    await reading().getByText('The other window does not answer.').waitFor()
    await button.focus()
    await view.post(status())
    await expect.poll(() => hasFocus('textarea')).toBe(true)
    await reading().waitFor({ state: 'hidden' })
  })
})

describe('code that was streamed', () => {
  /** Streams an answer that ends with this code, and copies it once all of it is shown. */
  async function copyOf(code: string, step: number) {
    const text = `Here it is:\n\n\`\`\`python\n${code}\n\`\`\``
    await view.post(put(0, { type: 'answer', text: text.slice(0, step) }))
    for (let at = step; at < text.length; at += step) {
      await view.post({ type: 'delta', index: 0, text: text.slice(at, at + step) })
    }
    await view.page.locator('.code-block', { hasText: 'the end' }).waitFor()
    await view.page.locator('.code-block').first().getByText('Copy').click()
    await expect.poll(() => view.told('copy')).not.toEqual([])
    return (await view.told('copy')).map((message) => message.text)
  }

  it('is copied as it is shown, under its language', async () => {
    const code = 'def login(name):\n    return name.strip() != ""  # the end'
    expect(await copyOf(code, 6)).toEqual([code])
    expect(await view.page.locator('.language').textContent()).toBe('python')
    expect(await view.page.locator('.code-block pre').getAttribute('aria-label')).toBe('python')
  })

  it('is copied to its end, however long it is', async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `line_${at} = ${at * 7}`)
    const code = [...lines, '', 'the end'].join('\n')
    expect(await copyOf(code, 3000)).toEqual([code])
  })

  it('is copied without another line break if it is one long line', async () => {
    const code = `${'x=1;'.repeat(20_000)} the end`
    expect(await copyOf(code, 3000)).toEqual([code])
  })
})

describe('messages that come back', () => {
  it('leave the focus where it is, and are told of', async () => {
    onTestFinished(() =>
      view.page.evaluate('delete document.hasFocus; document.querySelector("#editor")?.remove()'),
    )
    const outside = '<input id="editor">'
    await view.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '${outside}')`)
    await view.page.locator('#editor').focus()
    // a page in a frame that has not the focus
    await view.page.evaluate('document.hasFocus = () => false')
    await view.post({ type: 'give-back', text: 'and then the tests' })
    const input = view.page.locator('textarea')
    await expect.poll(() => input.inputValue()).toBe('and then the tests')
    await expect.poll(announced).toContain('not sent')
    expect(await hasFocus('#editor')).toBe(true)
  })

  it('tell the host that the focus was taken, when it was asked for', async () => {
    await view.post({ type: 'focus' })
    await expect.poll(() => view.told('focused')).toHaveLength(1)
    expect(await hasFocus('textarea')).toBe(true)
  })
})

describe('the focus stays', () => {
  it('on a call that ends', async () => {
    await view.post(put(0, call('running')))
    await view.page.locator('summary').focus()
    await view.post(put(0, call('done')))
    await expect.poll(() => hasFocus('.call.done summary')).toBe(true)
  })

  it('on a button of an answer that is marked', async () => {
    const answer: ChatItem = { type: 'answer', text: '```js\na\n```\n' }
    await view.post(put(0, answer))
    await view.page.locator('.code-block button').first().focus()
    await view.post(put(0, { ...answer, isLoop: true }))
    await expect.poll(() => hasFocus('.in-loop .code-block button')).toBe(true)
  })

  it('on the model, whatever the status is', async () => {
    await view.post(status())
    await view.page.locator('.status button').focus()
    await view.post(status({ tokens: 2, model: 'embedded/other', problem: 'no key' }))
    await expect
      .poll(() => view.page.locator('.status').textContent())
      .toMatch(/embedded\/other · .*2 tokens.*no key/s)
    expect(await hasFocus('.status button')).toBe(true)
  })

  it('in the context, on the next part or in the message', async () => {
    const part = (id: string) => ({
      ...{ kind: 'file' as const, id, label: id, path: id, language: 'ts' },
    })
    await view.post({ type: 'context', parts: [part('a'), part('b')] })
    await view.page.locator('.chips button').first().focus()
    await view.post({ type: 'context', parts: [part('b')] })
    await expect.poll(() => hasFocus('.chips [aria-label$=": b"]')).toBe(true)
    await view.post({ type: 'context', parts: [] })
    await expect.poll(() => hasFocus('textarea')).toBe(true)
  })

  it('on a message that waits, and goes to the input when it is sent', async () => {
    const [one, two] = [
      { id: '1', text: 'one' },
      { id: '2', text: 'two' },
    ]
    await view.post({ type: 'waiting', messages: [one, two] })
    await view.page.locator('.waiting [aria-label="Edit: two"]').focus()
    await view.post({ type: 'waiting', messages: [two] })
    await view.page.locator('.waiting li').nth(1).waitFor({ state: 'detached' })
    expect(await hasFocus('.waiting [aria-label="Edit: two"]')).toBe(true)
    await view.post({ type: 'waiting', messages: [] })
    await expect.poll(() => hasFocus('textarea')).toBe(true)
  })
})

it('a hint that is being written survives its card, and a digit in it decides nothing', async () => {
  await view.post(put(0, loop))
  await view.page.locator('.card.loop').focus()
  await view.page.keyboard.press('4')
  await view.page.locator('form.hint input:focus').waitFor()
  await view.page.keyboard.type('use the oth')
  await view.page.keyboard.press('ArrowLeft')
  await view.post(put(0, { ...loop, dollars: 2 }))
  await view.page.keyboard.type('er 1 tool')
  await expect
    .poll(() => view.page.locator('form.hint input').inputValue())
    .toBe('use the oter 1 toolh')
  await view.page.locator('.card.loop').focus()
  await view.page.keyboard.press('1')
  expect(await view.told('choose')).toEqual([])
  await view.page.locator('form.hint').getByText('Cancel').click()
  await view.page.locator('form.hint').waitFor({ state: 'hidden' })
  await view.page.locator('.card.loop').focus()
  await view.page.keyboard.press('1')
  await expect
    .poll(() => view.told('choose'))
    .toEqual([{ type: 'choose', id: 'L', choice: { type: 'stop' } }])
})

it('all paths of an answer are asked about, some at a time', async () => {
  const paths = Array.from({ length: 450 }, (_, at) => `src/f${at}.ts`)
  await view.post(put(0, { type: 'answer', text: paths.map((path) => `- \`${path}\``).join('\n') }))
  let answered = 0
  await expect
    .poll(async () => {
      const asked = await view.told('check-paths')
      for (const message of asked.slice(answered)) {
        await view.post({ type: 'paths', asked: message.paths, existing: message.paths })
      }
      answered = asked.length
      return view.page.locator('.answer button.path').count()
    })
    .toBe(450)
})

describe('a screen reader is told', () => {
  const error: ChatItem = { type: 'error', message: 'the model is gone', advice: '' }

  it('nothing of what is old', async () => {
    await view.post(status(), chatOf(error, loop))
    expect(await view.page.locator('[role=alert]').count()).toBe(0)
    expect(await view.page.locator('#items').getAttribute('aria-live')).toBe('off')
    expect(await announced()).not.toContain('gone')
  })

  it.each<[string, ChatItem, string]>([
    ['an error', error, 'the model is gone'],
    ['the end by the person', { type: 'notice', text: 'Stopped.' }, 'Stopped.'],
    ['a loop', loop, 'Stopped: the agent is stuck. it failed 4 times'],
  ])('of %s, and not that the answer is complete', async (_, item, text) => {
    await view.post(status({ isBusy: true }), put(0, item), status())
    await expect.poll(announced).toBe(text)
  })

  it('that the answer is complete', async () => {
    const answer: ChatItem = { type: 'answer', text: 'Yes.' }
    await view.post(status({ isBusy: true }), put(0, answer), status())
    await expect.poll(announced).toBe('The answer is complete.')
    expect(await view.page.locator('#items').getAttribute('aria-live')).toBe('polite')
  })
})

describe('while the agent works', () => {
  const counts = async () => [(await view.told('send')).length, (await view.told('stop')).length]

  it('a message can be sent by mouse, and no second click stops the agent', async () => {
    await view.post(status())
    const [sent = 0, stopped = 0] = await counts()
    await view.page.locator('textarea').fill('first')
    await view.page.locator('button.send').click()
    await expect.poll(counts).toEqual([sent + 1, stopped])
    await view.post(status({ isBusy: true }))
    await view.page.locator('button.send').click()
    expect(await counts()).toEqual([sent + 1, stopped])
    await view.page.locator('textarea').fill('second')
    await view.page.locator('button.send').click()
    await expect.poll(counts).toEqual([sent + 2, stopped])
    await view.page.locator('button.stop').click()
    await expect.poll(counts).toEqual([sent + 2, stopped + 1])
  })

  it('the button to stop it is there, and leaves the keyboard in the message', async () => {
    await view.post(status({ isBusy: true }))
    await view.page.locator('button.stop').focus()
    await view.post(status())
    await view.page.locator('button.stop').waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus('textarea')).toBe(true)
  })
})
