import { Box, Static, useInput, useStdout } from 'ink'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Chat } from '../chat.js'
import { openDialog } from '../dialog.js'
import { createKeys } from '../keys.js'
import { DialogView } from './dialog-view.js'
import { ItemView } from './item-view.js'
import { LiveView } from './live-view.js'
import { PromptLine } from './prompt-line.js'
import { rowsOf } from './rows.js'
import { StatusLine } from './status-line.js'
import { Coloured } from './tone.js'

interface Props {
  chat: Chat
  isColoured: boolean
}

/** The whole screen: the transcript above, what changes below. */
export function App({ chat, isColoured }: Props) {
  const state = useSyncExternalStore(chat.store.subscribe, chat.store.get)
  const [press] = useState(() => createKeys(chat))
  useInput(press)
  const { rows, columns } = useTerminalSize()
  const { items, live, editor } = state
  const dialog = openDialog(state)
  const promptRows = Math.max(1, Math.floor(rows / 2) - 3)
  const liveRows = rows - 7 - Math.min(promptRows, rowsOf(editor.text, columns - 5))
  return (
    <Coloured.Provider value={isColoured}>
      <Static items={items as (typeof items)[number][]}>
        {(item, index) => (
          <Box key={index} width={columns} paddingRight={1}>
            <ItemView item={item} columns={columns} />
          </Box>
        )}
      </Static>
      <LiveView live={live} rows={Math.max(2, dialog ? 2 : liveRows)} columns={columns} />
      {dialog ? (
        <DialogView dialog={dialog} editor={editor} rows={rows} columns={columns} />
      ) : (
        <PromptLine editor={editor} rows={promptRows} columns={columns} mark=">" />
      )}
      <StatusLine state={state} columns={columns} />
    </Coloured.Provider>
  )
}

/** The size of the terminal, also after it has changed. */
function useTerminalSize(): { rows: number; columns: number } {
  const { stdout } = useStdout()
  const read = () => ({ rows: stdout.rows || 24, columns: stdout.columns || 80 })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const update = () => setSize(read())
    stdout.on('resize', update)
    return () => {
      stdout.off('resize', update)
    }
  })
  return size
}
