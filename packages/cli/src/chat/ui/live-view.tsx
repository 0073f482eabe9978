import { Box } from 'ink'
import { oneLine, plural } from '../../words.js'
import type { Live } from '../state.js'
import { Tone } from './tone.js'

/** What is going on: the last lines of it, as many as there is room for. */
export function LiveView({ live, rows, columns }: { live: Live; rows: number; columns: number }) {
  const { text, reasoning, calls } = live
  const shown = calls.slice(-Math.max(1, rows - 2))
  // a terminal holds no more than this, and what is drawn again and again should be short
  const tail = text.slice(-rows * columns)
  const isLong = text.length * 2 > rows * columns
  return (
    <Box flexDirection="column">
      {reasoning !== '' && (
        <Tone tone="quiet" wrap="truncate">
          {`~ ${oneLine(reasoning.slice(-columns), columns - 4)}`}
        </Tone>
      )}
      {tail !== '' && (
        <Box
          {...(isLong && { height: rows })}
          marginTop={live.isBegun ? 0 : 1}
          overflowY="hidden"
          flexDirection="column"
          justifyContent="flex-end"
        >
          <Box flexShrink={0}>
            <Tone>{tail}</Tone>
          </Box>
        </Box>
      )}
      {shown.map(({ id, name, args }) => (
        <Tone key={id} wrap="truncate">{`› ${oneLine(`${name} ${args}`, columns - 6)} …`}</Tone>
      ))}
      {calls.length > shown.length && (
        <Tone tone="quiet">{`  and ${plural(calls.length - shown.length, 'call')} more`}</Tone>
      )}
    </Box>
  )
}
