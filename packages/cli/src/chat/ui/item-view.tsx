import { Box } from 'ink'
import { plural } from 'unloop/words'
import { never } from '../../never.js'
import { costOf, oneLine, STATES } from '../../words.js'
import { effectOf } from '../evidence.js'
import type { Item } from '../state.js'
import { Tone } from './tone.js'

/** One item of the transcript. */
export function ItemView({ item, columns }: { item: Item; columns: number }) {
  switch (item.type) {
    case 'person':
      return (
        <Box marginTop={1}>
          <Tone tone="person">{'> '}</Tone>
          <Tone tone="person">{shortened(item.text)}</Tone>
        </Box>
      )
    case 'answer':
      return (
        <Box marginTop={item.isFirst ? 1 : 0}>
          <Tone>{item.text || ' '}</Tone>
        </Box>
      )
    case 'thought':
      return <Line tone="quiet" mark="~" text={fold(item.text, columns)} />
    case 'call':
      return (
        <Box flexDirection="column">
          <Line tone="plain" mark="›" text={oneLine(`${item.name} ${item.args}`, columns - 4)} />
          <Line
            tone={item.isError ? 'bad' : 'quiet'}
            mark=" "
            text={item.output === undefined ? 'not run' : fold(item.output, columns)}
          />
        </Box>
      )
    case 'warning': {
      const { certainty, detail, advice } = item.finding
      if (certainty === 'likely') {
        const text = `${STATES.likely}, the model was told: ${detail}`
        return <Line tone="quiet" mark="·" text={oneLine(text, columns - 4)} />
      }
      return (
        <Box flexDirection="column">
          <Line tone="warn" mark="!" text={`${WARNINGS[effectOf(item.finding)]}: ${detail}`} />
          <Line tone="quiet" mark=" " text={`the model was told: ${advice}`} />
        </Box>
      )
    }
    case 'observed':
      return (
        <Line
          tone={item.finding.certainty === 'likely' ? 'quiet' : 'warn'}
          mark="!"
          text={`observed, ${STATES[item.finding.certainty]}: ${item.finding.detail}`}
        />
      )
    case 'loop':
      return (
        <Line
          tone="bad"
          mark="■"
          text={`stopped by a loop: ${item.finding.detail} (${costOf(item.finding)})`}
        />
      )
    case 'choice':
      return <Line tone="person" mark="→" text={item.text} />
    case 'notice':
      return <Line tone="quiet" mark="·" text={item.text} />
    case 'error':
      return (
        <Line tone="bad" mark="×" text={[item.message, item.advice].filter(Boolean).join('\n')} />
      )
    default:
      return never(item)
  }
}

const WARNINGS = {
  warn: STATES.certain,
  block: `${STATES.certain}, the call was refused`,
  cut: `${STATES.certain}, the message was cut`,
  ask: STATES.certain,
  stop: STATES.certain,
}

function Line({
  tone,
  mark,
  text,
}: {
  tone: Parameters<typeof Tone>[0]['tone']
  mark: string
  text: string
}) {
  return (
    <Box>
      <Box flexShrink={0}>
        <Tone {...(tone && { tone })}>{`${mark} `}</Tone>
      </Box>
      <Tone {...(tone && { tone })}>{text}</Tone>
    </Box>
  )
}

/** The first line, and how much more there is. */
function fold(text: string, columns: number): string {
  const lines = text.trimEnd().split('\n')
  const more = lines.length > 1 ? ` (+${plural(lines.length - 1, 'line')})` : ''
  return `${oneLine(lines[0] ?? '', Math.max(10, columns - 4 - more.length))}${more}`
}

// some screens of text; to lay out more than that takes seconds
const MAX_SHOWN = 20_000

/** Pasted text may be longer than anyone reads. */
function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text
  return `${text.slice(0, MAX_SHOWN)}\n… ${plural(text.length - MAX_SHOWN, 'character')} more`
}
