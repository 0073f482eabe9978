import { splitBlocks } from '../../answer-blocks.js'
import type { Row } from '../row.js'
import { span } from '../row.js'
import { wrap } from '../wrap.js'
import { markdownRows } from './rows.js'

/** An answer of any length as rows, block by block, so that the time it takes grows with its length alone. */
export function answerRows(text: string, columns: number): Row[] {
  const rows: Row[] = []
  let isJoined = true
  for (const piece of piecesOf(text)) {
    if (!isJoined) rows.push([])
    for (const row of pieceRows(piece.text, columns)) rows.push(row)
    isJoined = piece.isJoined
  }
  return rows
}

// a piece has some blocks, and is cut where one of them is longer
const PIECE = 6000

function* piecesOf(text: string): Generator<{ text: string; isJoined: boolean }> {
  let rest = ''
  for (let at = 0; at < text.length; at += PIECE) {
    const split = splitBlocks(rest + text.slice(at, at + PIECE))
    if (split.done !== '') yield { text: split.done, isJoined: split.isJoined }
    rest = split.rest
  }
  if (rest !== '') yield { text: rest, isJoined: false }
}

function pieceRows(text: string, columns: number): Row[] {
  try {
    return markdownRows(text, columns)
  } catch {
    // nested deeper than the parser can follow
    return wrap([span(text)], columns)
  }
}
