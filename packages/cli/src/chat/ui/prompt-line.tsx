import { Box, Text } from 'ink'
import { type Editor, right } from '../editor.js'
import { Tone } from './tone.js'

/** The text being written, with its cursor; of a long one the lines around the cursor. */
export function PromptLine({ editor, rows, mark }: { editor: Editor; rows: number; mark: string }) {
  const { text, cursor } = visible(editor, rows)
  const end = right({ text, cursor })
  const under = text.slice(cursor, end)
  const isAtLineEnd = under === '' || under === '\n'
  return (
    <Box marginTop={1}>
      <Box flexShrink={0}>
        <Tone tone="person">{`${mark} `}</Tone>
      </Box>
      <Text>
        {shown(text.slice(0, cursor))}
        <Text inverse>{isAtLineEnd ? ' ' : shown(under)}</Text>
        {shown(isAtLineEnd ? text.slice(cursor) : text.slice(end))}
      </Text>
    </Box>
  )
}

// a tab has no width of its own that could be reckoned with
const shown = (text: string) => text.replaceAll('\t', '  ')

function visible({ text, cursor }: Editor, rows: number): Editor {
  const lines = text.split('\n')
  if (lines.length <= rows) return { text, cursor }
  const line = text.slice(0, cursor).split('\n').length - 1
  const first = Math.min(Math.max(0, line - rows + 2), lines.length - rows)
  const hidden = lines.slice(0, first).join('\n').length + (first > 0 ? 1 : 0)
  return { text: lines.slice(first, first + rows).join('\n'), cursor: cursor - hidden }
}
