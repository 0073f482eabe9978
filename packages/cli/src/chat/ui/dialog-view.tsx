import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { never } from '../../never.js'
import { printable } from '../../printable.js'
import { plural } from '../../words.js'
import { optionsOf } from '../dialog.js'
import { evidenceOf } from '../evidence.js'
import type { ChatState, Dialog } from '../state.js'
import { PromptLine } from './prompt-line.js'
import { Tone } from './tone.js'

interface Props {
  dialog: Dialog
  editor: ChatState['editor']
  rows: number
  columns: number
}

/** A question to the person, with what there is to choose from. */
export function DialogView({ dialog, editor, rows, columns }: Props) {
  return (
    <Box flexDirection="column" borderStyle="round" paddingX={1}>
      <Question dialog={dialog} rows={rows} />
      {dialog.type === 'hint' ? (
        <PromptLine
          editor={editor}
          rows={Math.max(1, rows - 14)}
          columns={columns - 4}
          mark="hint:"
        />
      ) : (
        <Options dialog={dialog} />
      )}
    </Box>
  )
}

function Options({ dialog }: { dialog: Exclude<Dialog, { type: 'hint' }> }) {
  const options = optionsOf(dialog, Date.now())
  const width = Math.max(...options.map(({ label }) => label.length))
  return options.map(({ label, note }, index) => {
    const isSelected = index === dialog.selected
    return (
      <Text key={label + note} wrap="truncate" bold={isSelected}>
        {`${isSelected ? '❯' : ' '} ${index + 1} ${label.padEnd(width)}  `}
        <Tone tone="quiet">{note}</Tone>
      </Text>
    )
  })
}

function Question({ dialog, rows }: { dialog: Dialog; rows: number }): ReactNode {
  switch (dialog.type) {
    case 'loop':
    case 'hint':
      return <Evidence dialog={dialog} rows={rows} />
    case 'approval':
      return (
        <>
          <Tone tone="warn" wrap="truncate">
            {shortened(dialog.approval.question)}
          </Tone>
          <Tone tone="quiet">keys 1 to 3, or arrows and Enter; Esc refuses</Tone>
        </>
      )
    case 'sessions':
      return <Tone tone="quiet">which conversation? a number, or arrows and Enter; Esc: none</Tone>
    default:
      return never(dialog)
  }
}

// enough for a command; of an edit the rest stands in the transcript above
const QUESTION_ROWS = 4

function shortened(question: string): string {
  const lines = printable(question).split('\n')
  const more = lines.length - QUESTION_ROWS
  const shown = lines.slice(0, QUESTION_ROWS).join('\n')
  return more > 0 ? `${shown}\n… ${plural(more, 'line')} more above` : shown
}

// what a dialog has besides the evidence: border, title, six choices, the status line
const OTHER_ROWS = 12

function Evidence({ dialog, rows }: { dialog: Dialog & { type: 'loop' | 'hint' }; rows: number }) {
  const lines = evidenceOf(dialog.finding, dialog.since)
  const room = Math.max(1, rows - OTHER_ROWS)
  // where there is room a line may take two rows
  const wrap = room >= lines.length * 2 ? 'wrap' : 'truncate'
  return (
    <>
      <Tone tone="warn" bold wrap="truncate">
        {dialog.type === 'hint'
          ? 'a hint to the model (Esc: back)'
          : 'The agent is stuck. What now?'}
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
