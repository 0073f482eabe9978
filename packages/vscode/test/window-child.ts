// A window: moves the chats of earlier versions, opens the last chat, and tells how that went; its parent kills it.
import { createInterface } from 'node:readline'
import { createChatAccess } from '../src/chat-access.js'
import { moveChats } from '../src/chat-places.js'
import { createChatStore } from '../src/store.js'

const [folder = '', ...former] = process.argv.slice(2)
const tell = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`)

tell('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  const problems: string[] = []
  const moved = moveChats(former, folder, (text) => problems.push(text))
  const store = createChatStore(folder)
  const access = createChatAccess(store, { warn: (text) => problems.push(text) })
  const { id } = access.latest() ?? {}
  tell({ moved, id, reading: access.reading, problems })
}
