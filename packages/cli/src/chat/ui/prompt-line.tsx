import { Box, Text } from 'ink'
import { showCount } from 'unloop/words'
import { printable } from '../../printable.js'
import { right } from '../editor.js'
import type { PromptRow, PromptWindow } from './prompt-window.js'
import { Tone } from './tone.js'

interface Props {
  shown: PromptWindow
  mark: string
}

/** The text being written, with its cursor; of a long one what is around the cursor, and how much more there is. */
export function PromptLine({ shown, mark }: Props) {
  const { rows, above, below } = shown
  return (
    <Box marginTop={1}>
      <Box flexShrink={0}>
        <Tone tone="person">{`${mark} `}</Tone>
      </Box>
      <Box flexDirection="column">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands there
          <Row key={index} {...row} />
        ))}
        {shown.height > rows.length && (
          <Tone tone="quiet" wrap="truncate">
            {`… ${showCount(above)} characters above, ${showCount(below)} below`}
          </Tone>
        )}
      </Box>
    </Box>
  )
}

function Row({ text, cursor }: PromptRow) {
  if (cursor === undefined) return <Text wrap="truncate">{printable(text) || ' '}</Text>
  const end = right({ text, cursor })
  return (
    <Text wrap="truncate">
      {printable(text.slice(0, cursor))}
      <Text inverse>{printable(text.slice(cursor, end)) || ' '}</Text>
      {printable(text.slice(end))}
    </Text>
  )
}
