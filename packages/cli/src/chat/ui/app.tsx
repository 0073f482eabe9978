import { Box, Static } from 'ink'
import { useSyncExternalStore } from 'react'
import type { Chat } from '../chat.js'
import { openDialog } from '../dialog.js'
import { DialogView } from './dialog-view.js'
import { ItemView } from './item-view.js'
import { LiveView } from './live-view.js'
import { PromptLine } from './prompt-line.js'
import { windowOf } from './prompt-window.js'
import type { Screen } from './screen.js'
import { StatusLine } from './status-line.js'
import { Coloured } from './tone.js'

interface Props {
  chat: Chat
  screen: Screen
  isColoured: boolean
}

// the empty line above it, the status line, and the line on which the cursor stands
const AROUND_PROMPT = 3
// the mark, a space behind the last column, and the cursor behind that
const PROMPT_MARGIN = 4
// the highest dialog there is while a call waits: the question before it is run
const QUESTION_ROWS = 13

/** The whole screen: the transcript above, what changes below. */
export function App({ chat, screen, isColoured }: Props) {
  const state = useSyncExternalStore(chat.store.subscribe, chat.store.get)
  const { rows, columns, drawing } = useSyncExternalStore(screen.subscribe, screen.get)
  const { items, live, editor, fault } = state
  const dialog = openDialog(state)
  const promptRows = Math.max(1, Math.floor(rows / 2) - 3)
  const shown = windowOf(editor, promptRows, columns - PROMPT_MARGIN)
  const faultRows = fault === undefined ? 0 : 1
  // all that changes has to fit, since what has scrolled off the screen cannot be drawn over
  const liveRows = (dialog ? rows - QUESTION_ROWS : rows - shown.height - AROUND_PROMPT) - faultRows
  return (
    <Coloured.Provider value={isColoured}>
      <Static key={drawing} items={items as (typeof items)[number][]}>
        {(item, index) => (
          <Box key={index} width={columns} paddingRight={1}>
            <ItemView item={item} columns={columns} />
          </Box>
        )}
      </Static>
      <LiveView live={live} rows={dialog ? Math.min(2, liveRows) : liveRows} columns={columns} />
      {dialog ? (
        <DialogView dialog={dialog} editor={editor} rows={rows - faultRows} columns={columns} />
      ) : (
        <PromptLine shown={shown} mark=">" />
      )}
      <StatusLine state={state} columns={columns} />
    </Coloured.Provider>
  )
}
