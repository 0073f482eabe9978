import { styleText } from 'node:util'
import { printable } from './printable.js'

/** Colours a text where colours are wanted; nothing else in it reaches the terminal as a command. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export const createPaint =
  (isColoured: boolean): Paint =>
  (style, text) =>
    isColoured ? styleText(style, printable(text), { validateStream: false }) : printable(text)
