import { createPieces } from '../src/chat/markdown-pieces.js'
import { continueCode, growCode } from './code-block.js'
import { h } from './dom.js'
import type { Frame } from './frame.js'
import { toNodes } from './markdown.js'

// a millisecond or two of work
const STEP = 4000

/** A message of the model that is drawn as it is written: only its last block is drawn again. */
export interface WrittenText {
  element: HTMLElement
  write(text: string): void
}

/** An element for a message that begins with this text. */
export function createWrittenText(text: string, frame: Frame): WrittenText {
  const pieces = createPieces()
  const last = h('div', { class: 'last' })
  const element = h('div', { class: 'text' }, last)
  let backlog = text

  function draw(): boolean {
    const step = backlog.slice(0, STEP)
    backlog = backlog.slice(STEP)
    const { complete, rest } = pieces.write(step)
    for (const piece of complete) {
      const nodes = toNodes(piece.text, frame)
      if (piece.joint !== undefined) continueCode(nodes[0], piece.joint)
      last.before(...nodes)
    }
    // what is not seen need not be drawn
    if (backlog === '' || complete.length > 0) drawRest(rest)
    frame.paths.ask()
    return backlog !== ''
  }

  function drawRest(rest: string) {
    const nodes = toNodes(rest, frame)
    if (pieces.joint !== undefined) continueCode(nodes[0], pieces.joint)
    const old = last.children.length === 1 ? last.firstElementChild : null
    // code that grows keeps its element, and with it where it was scrolled to
    const code = nodes.length === 1 ? nodes.find(isCode) : undefined
    if (code && old?.className === code.className) growCode(old, code)
    else last.replaceChildren(...nodes)
  }

  if (text !== '') frame.paint(draw)
  return {
    element,
    write(more) {
      backlog += more
      frame.paint(draw)
    },
  }
}

const isCode = ({ classList }: HTMLElement) => classList.contains('code-block')
