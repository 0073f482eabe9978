import { Box, Text } from 'ink'
import { printable } from '../../printable.js'
import { number } from '../../words.js'
import { type Editor, right } from '../editor.js'
import { windowOf } from './prompt-window.js'
import { Tone } from './tone.js'

interface Props {
  editor: Editor
  rows: number
  columns: number
  mark: string
}

/** The text being written, with its cursor; of a long one what is around the cursor, and how much more there is. */
export function PromptLine({ editor, rows, columns, mark }: Props) {
  const { text, cursor, above, below } = windowOf(editor, rows, columns - mark.length - 4)
  const end = right({ text, cursor })
  const under = text.slice(cursor, end)
  const isAtLineEnd = under === '' || under === '\n'
  return (
    <Box marginTop={1}>
      <Box flexShrink={0}>
        <Tone tone="person">{`${mark} `}</Tone>
      </Box>
      <Box flexDirection="column">
        <Text>
          {printable(text.slice(0, cursor))}
          <Text inverse>{isAtLineEnd ? ' ' : printable(under)}</Text>
          {printable(isAtLineEnd ? text.slice(cursor) : text.slice(end))}
        </Text>
        {above + below > 0 && rows > 1 && (
          <Tone tone="quiet" wrap="truncate">
            {`… ${number(above)} characters above, ${number(below)} below`}
          </Tone>
        )}
      </Box>
    </Box>
  )
}
