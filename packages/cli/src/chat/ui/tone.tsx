import { Text, type TextProps } from 'ink'
import { createContext, useContext } from 'react'
import { printable } from '../../printable.js'

/** Whether colours may be used. */
export const Coloured = createContext(true)

const TONES: Record<string, Partial<TextProps>> = {
  plain: {},
  quiet: { dimColor: true },
  person: { color: 'cyan' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
}

type Props = TextProps & { tone?: 'plain' | 'quiet' | 'person' | 'warn' | 'bad' }

/** Text in one of a few tones, whoever wrote it; without colours they all look the same. */
export function Tone({ tone = 'plain', children, ...props }: Props) {
  const isColoured = useContext(Coloured)
  return (
    <Text {...(isColoured ? TONES[tone] : {})} {...props}>
      {typeof children === 'string' ? printable(children) : children}
    </Text>
  )
}
