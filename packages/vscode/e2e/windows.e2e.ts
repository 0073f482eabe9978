import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CodeServer, startCodeServer } from './code-server.js'
import { until } from './until.js'
import { openWorkbench, type Workbench } from './workbench.js'

// one folder, in browsers that are lost and opened again
let server: CodeServer
const benches: Workbench[] = []

beforeAll(async () => {
  server = await startCodeServer({})
}, 300_000)

afterAll(async () => {
  for (const bench of benches) await bench.close()
  await server?.stop()
})

/** Opens the folder in a browser of its own. */
async function openWindow(): Promise<Workbench> {
  const bench = await openWorkbench(server.url, server.workspace)
  benches.push(bench)
  await bench.load()
  await bench.openChat()
  return bench
}

const said = ({ chat }: Workbench) => chat.locator('li.item.person')
const banner = ({ chat }: Workbench, text: string) => chat.locator('.reading', { hasText: text })
const earlierChats = (bench: Workbench) =>
  bench.choicesOf('unloop: Open earlier chat…', 'Earlier chats')

it('a chat is there at once after the browser was lost, and is continued', async () => {
  const lost = await openWindow()
  await lost.send('How does the ladder work?')
  await lost.idle()
  const before = await lost.chat.locator('li.item').allTextContents()
  await lost.kill()

  const bench = await openWindow()
  await said(bench).first().waitFor()
  await expect.poll(() => bench.chat.locator('li.item').allTextContents()).toEqual(before)
  // the process that had it waits for its browser to come back
  await banner(bench, 'This chat is open in another window').waitFor()
  await bench.picture('lost-connection')
  await bench.chat.locator('textarea').waitFor({ state: 'hidden' })
  await bench.chat.getByRole('button', { name: 'Continue here' }).click()
  await bench.chat.locator('textarea').waitFor()
  await bench.send('hello')
  await bench.idle()
  await expect.poll(() => said(bench).count()).toBe(2)
})

it('a second window shows the same chat and the same list', async () => {
  const [first] = benches.slice(-1)
  if (!first) throw new Error('no window')
  await first.newChat()
  await first.send('thanks')
  await first.idle()
  const second = await openWindow()
  await banner(second, 'This chat is open in another window').waitFor()
  const items = await first.chat.locator('li.item').allTextContents()
  await expect.poll(() => second.chat.locator('li.item').allTextContents()).toEqual(items)
  await expect.poll(() => earlierChats(second)).toEqual(['How does the ladder work?'])
  await expect.poll(() => earlierChats(first)).toEqual(['How does the ladder work?'])
  // what one says, the other sees
  await first.send('hello')
  await first.idle()
  await until('the other has seen it', async () => {
    const [here, there] = await Promise.all(
      [first, second].map(({ chat }) => chat.locator('li.item').allTextContents()),
    )
    return JSON.stringify(here) === JSON.stringify(there)
  })
  await second.chat.getByRole('button', { name: 'New chat' }).click()
  await second.chat.locator('textarea').waitFor()
  await second.send('hello')
  await second.idle()
  await expect.poll(() => earlierChats(second)).toEqual(['thanks', 'How does the ladder work?'])
  await expect.poll(() => earlierChats(first)).toEqual(['hello', 'How does the ladder work?'])
})

it('a chat that its window gives up goes to the one that reads it', async () => {
  const [first, second] = benches.slice(-2)
  if (!first || !second) throw new Error('no windows')
  await second.command('unloop: Open earlier chat…', 'thanks')
  await banner(second, 'This chat is open in another window').waitFor()
  await first.newChat()
  await second.chat.locator('textarea').waitFor()
  await second.send('hello again')
  await second.idle()
  await expect.poll(() => said(second).count()).toBe(3)
})

beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(async () => {
    for (const [number, bench] of benches.entries()) {
      await bench
        .picture(`failed ${task.name} ${number}`.replace(/\W+/g, '-'))
        .catch(() => undefined)
    }
  })
})
