import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CodeServer, startCodeServer } from './code-server.js'
import { openWorkbench, type Workbench } from './workbench.js'

let server: CodeServer
let bench: Workbench

beforeAll(async () => {
  server = await startCodeServer({ language: 'zh-cn' })
  bench = await openWorkbench(server.url, server.workspace, 'zh-cn')
  await bench.load()
  await bench.openChat()
}, 300_000)

afterAll(async () => {
  await bench?.close()
  await server?.stop()
})

it('speaks Chinese in the manifest, the messages and the chat', async () => {
  await bench.send('/stuck repeated-call')
  const toast = bench.toast('代理陷入循环')
  await toast.waitFor()
  await toast.getByRole('button', { name: '停止' }).click()
  await bench.chat.locator('.decision').getByText('已停止').waitFor()
  await expect
    .poll(() => bench.page.getByRole('button', { name: /循环/ }).count())
    .toBeGreaterThan(0)
  await bench.statusSays('守卫已开启')
})
