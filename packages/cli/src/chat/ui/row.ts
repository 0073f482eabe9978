import { styleText } from 'node:util'

/** How a text looks: colours and weights by their names. */
export type Style = Parameters<typeof styleText>[0]

/** A piece of text in one look. */
export interface Span {
  text: string
  style?: Style | undefined
}

/** What stands in one row of the terminal. */
export type Row = readonly Span[]

/** The looks of the chat; without colours they are all the same. */
export const TONES = {
  quiet: 'dim',
  person: 'cyan',
  warn: 'yellow',
  bad: 'red',
  strong: 'bold',
} as const satisfies Record<string, Style>

export const span = (text: string, style?: Style): Span => ({ text, style })

/** The row as the terminal is told it. */
export function toTerminal(row: Row, isColoured: boolean): string {
  if (!isColoured) return row.map(({ text }) => text).join('')
  return row
    .map(({ text, style }) =>
      style === undefined || text === '' ? text : styleText(style, text, { validateStream: false }),
    )
    .join('')
}
