import { Box } from 'ink'
import { plural } from 'unloop/words'
import { oneLine } from '../../words.js'
import type { Live } from '../state.js'
import { rowsOf } from './rows.js'
import { Tone } from './tone.js'

/** What is going on: the last lines of it, as many as there is room for. */
export function LiveView({ live, rows, columns }: { live: Live; rows: number; columns: number }) {
  const { text, reasoning, calls } = live
  if (rows < 1) return
  const shown = calls.slice(-Math.max(1, rows - 2))
  // a terminal holds no more than this, and what is drawn again and again should be short
  const tail = text.slice(-rows * columns)
  const more = calls.length - shown.length
  // one for the thought, one above the text, one for the calls that are not shown
  const lines =
    Math.sign(reasoning.length) +
    (tail === '' ? 0 : 1 + rowsOf(tail, columns)) +
    shown.length +
    Math.sign(more)
  return (
    <Box
      {...(lines > rows && { height: rows })}
      overflowY="hidden"
      flexDirection="column"
      justifyContent="flex-end"
    >
      <Box flexShrink={0} flexDirection="column">
        {reasoning !== '' && (
          <Tone tone="quiet" wrap="truncate">
            {`~ ${oneLine(reasoning.slice(-columns), columns - 4)}`}
          </Tone>
        )}
        {tail !== '' && (
          <Box marginTop={live.isBegun ? 0 : 1}>
            <Tone>{tail}</Tone>
          </Box>
        )}
        {shown.map(({ id, name, args }) => (
          <Tone key={id} wrap="truncate">{`› ${oneLine(`${name} ${args}`, columns - 6)} …`}</Tone>
        ))}
        {more > 0 && <Tone tone="quiet">{`  and ${plural(more, 'call')} more`}</Tone>}
      </Box>
    </Box>
  )
}
