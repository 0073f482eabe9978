import { Box, Text } from 'ink'
import { printable } from '../../printable.js'
import { type Editor, right } from '../editor.js'
import { rowsOf } from './rows.js'
import { Tone } from './tone.js'

interface Props {
  editor: Editor
  rows: number
  columns: number
  mark: string
}

/** The text being written, with its cursor; of a long one what is around the cursor. */
export function PromptLine({ editor, rows, columns, mark }: Props) {
  const { text, cursor } = around(editor, rows, columns - mark.length - 4)
  const end = right({ text, cursor })
  const under = text.slice(cursor, end)
  const isAtLineEnd = under === '' || under === '\n'
  return (
    <Box marginTop={1}>
      <Box flexShrink={0}>
        <Tone tone="person">{`${mark} `}</Tone>
      </Box>
      <Text>
        {printable(text.slice(0, cursor))}
        <Text inverse>{isAtLineEnd ? ' ' : printable(under)}</Text>
        {printable(isAtLineEnd ? text.slice(cursor) : text.slice(end))}
      </Text>
    </Box>
  )
}

/** As much of a text as fits: the lines around the cursor, and of a very long line its end before the cursor. */
function around(editor: Editor, rows: number, columns: number): Editor {
  if (rowsOf(editor.text, columns) <= rows) return editor
  const lines = editor.text.split('\n')
  const line = editor.text.slice(0, editor.cursor).split('\n').length - 1
  let first = line
  let last = line
  const fits = (from: number, to: number) =>
    rowsOf(lines.slice(from, to + 1).join('\n'), columns) <= rows
  while (first > 0 && fits(first - 1, last)) first--
  while (last < lines.length - 1 && fits(first, last + 1)) last++
  const hidden = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0)
  const text = lines.slice(first, last + 1).join('\n')
  const cursor = editor.cursor - hidden
  if (fits(first, last)) return { text, cursor }
  // half, since what is wide takes two columns
  const room = Math.floor((rows * columns) / 2)
  const start = Math.max(0, cursor - room + 2)
  return { text: text.slice(start, start + room), cursor: cursor - start }
}
