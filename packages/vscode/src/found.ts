import type { Finding } from 'unloop'
import type { ChatItem, ItemOf } from './chat/item.js'

/** A loop in the tree, and where it can be looked at. */
export interface Found {
  finding: Finding
  at: number
  place: Place
  /** the item of the chat, if it is there */
  item?: ItemOf<'loop'> | ItemOf<'warning'>
}

/** Where a loop is to be seen: in the chat, or at a line of a transcript. */
export type Place = { type: 'chat'; index: number } | TranscriptPlace

export interface TranscriptPlace {
  type: 'transcript'
  path: string
  /** the line that showed it, and the one with which it began, from 1 */
  line: number
  since: number
  /** as it calls itself: `claude-code` */
  program: string
  /** as people write it: `Claude Code` */
  title: string
  session: string
  project: string
}

/** A loop of another agent. */
export type WatchedLoop = Found & { place: TranscriptPlace }

/** The loops of a chat, the last one first. */
export const foundInChat = (items: readonly ChatItem[]): Found[] =>
  items
    .flatMap((item, index): Found[] =>
      item.type === 'loop' || item.type === 'warning'
        ? [{ finding: item.finding, at: item.at, place: { type: 'chat', index }, item }]
        : [],
    )
    .reverse()

/** What a loop and a session are remembered by. */
export const keyOf = (found: Found): string =>
  JSON.stringify([sessionKeyOf(found), found.finding.identity])

export const sessionKeyOf = ({ place }: Found): string =>
  place.type === 'chat' ? 'chat' : JSON.stringify([place.path, place.session])
