import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { plural } from 'unloop/words'
import { never } from '../../never.js'
import { printable } from '../../printable.js'
import { STATES } from '../../words.js'
import { type DialogOption, optionsOf } from '../dialog.js'
import { evidenceOf } from '../evidence.js'
import type { ChatState, Dialog } from '../state.js'
import { PromptLine } from './prompt-line.js'
import { windowOf } from './prompt-window.js'
import { widthOf } from './rows.js'
import { Tone } from './tone.js'

interface Props {
  dialog: Dialog
  editor: ChatState['editor']
  rows: number
  columns: number
}

// a line for the status, and one to spare: a full screen is redrawn with each key
const OUTSIDE = 2
// below this the border costs more than it gives
const BORDERED = 12

/** A question to the person, with what there is to choose from; on a small screen what is around the choice. */
export function DialogView({ dialog, editor, rows, columns }: Props) {
  const options = optionsOf(dialog, Date.now())
  const isBordered = rows >= BORDERED
  const room = Math.max(1, rows - OUTSIDE - (isBordered ? 2 : 0))
  const asked = dialog.type === 'hint' ? Math.min(HINT_ROWS, Math.ceil(room / 2)) : options.length
  const questionRows = Math.max(room > 2 ? 1 : 0, room - asked)
  return (
    <Box flexDirection="column" {...(isBordered && { borderStyle: 'round', paddingX: 1 })}>
      <Question dialog={dialog} rows={questionRows} />
      {dialog.type === 'hint' ? (
        <PromptLine
          shown={windowOf(editor, Math.max(1, asked - 1), columns - HINT_MARGIN)}
          mark="hint:"
        />
      ) : (
        <Options
          options={options}
          selected={dialog.selected}
          rows={room - Math.min(1, questionRows)}
        />
      )}
    </Box>
  )
}

// an empty line, and three for the words of the person
const HINT_ROWS = 4
// the border, the mark, a space behind the last column, and the cursor behind that
const HINT_MARGIN = 12

function Options({ options, selected, rows }: OptionsProps) {
  const width = Math.max(...options.map(({ label }) => widthOf(label)))
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), options.length - rows))
  return options.slice(first, first + rows).map(({ key, label, note }, at) => {
    const index = first + at
    const isSelected = index === selected
    return (
      <Text key={index} wrap="truncate" bold={isSelected}>
        {`${isSelected ? '❯' : ' '} ${key === undefined ? '' : `${key} `}${label}${' '.repeat(width - widthOf(label))}  `}
        <Tone tone="quiet">{note}</Tone>
      </Text>
    )
  })
}

interface OptionsProps {
  options: readonly DialogOption[]
  selected: number
  rows: number
}

function Question({ dialog, rows }: { dialog: Dialog; rows: number }): ReactNode {
  if (rows === 0) return
  switch (dialog.type) {
    case 'loop':
    case 'hint':
      return <Evidence dialog={dialog} rows={rows - 1} />
    case 'approval':
      return (
        <>
          <Tone tone="warn" wrap="truncate">
            {shortened(dialog.approval.question, Math.max(1, rows - 2))}
          </Tone>
          {rows > 2 && <Tone tone="quiet">what you type is kept for the prompt; Esc refuses</Tone>}
        </>
      )
    case 'sessions':
      return (
        <Tone tone="quiet" wrap="truncate">
          which conversation? Esc: none
        </Tone>
      )
    case 'trust':
      return (
        <Tone tone="warn" wrap="truncate">
          Do you trust the configuration above? It came with this folder.
        </Tone>
      )
    default:
      return never(dialog)
  }
}

// enough for a command; of an edit the rest stands in the transcript above
const QUESTION_ROWS = 4

function shortened(question: string, rows: number): string {
  const lines = printable(question).split('\n')
  const shown = lines.slice(0, Math.min(rows, QUESTION_ROWS))
  const more = lines.length - shown.length
  return more > 0 ? `${shown.join('\n')} … ${plural(more, 'line')} more above` : shown.join('\n')
}

function Evidence({
  dialog,
  rows: room,
}: {
  dialog: Dialog & { type: 'loop' | 'hint' }
  rows: number
}) {
  const lines = evidenceOf(dialog.finding, dialog.since)
  // where there is room a line may take two rows
  const wrap = room >= lines.length * 2 ? 'wrap' : 'truncate'
  return (
    <>
      <Tone tone="warn" bold wrap="truncate">
        {dialog.type === 'hint'
          ? 'a hint to the model (Esc: back)'
          : `The agent is ${STATES[dialog.finding.certainty]}. What now?`}
      </Tone>
      {lines.slice(0, room).map(([name, value]) => (
        <Box key={name}>
          <Box width={8} flexShrink={0}>
            <Tone tone="quiet">{name}</Tone>
          </Box>
          <Tone wrap={wrap}>{value}</Tone>
        </Box>
      ))}
    </>
  )
}
