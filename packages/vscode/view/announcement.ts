import type { ChatItem } from '../src/chat/item.js'
import { never } from '../src/never.js'
import { toSentences } from '../src/sentences.js'
import type { ViewWords } from '../src/view-words.js'
import { fill } from './dom.js'

/** What a screen reader is told of an item when it is new; the text of the model is read out by itself. */
export function announcementOf(item: ChatItem, words: ViewWords): string | undefined {
  switch (item.type) {
    case 'error':
      return toSentences(item.message, item.advice)
    case 'notice':
      return item.text
    case 'question':
      return fill(words.wantsTo, item.tool)
    case 'loop':
      return `${words.loopTitle}. ${item.finding.detail}`
    case 'warning':
      return `${item.finding.certainty === 'likely' ? words.struggling : words.stuck}: ${item.finding.detail}`
    case 'person':
    case 'answer':
    case 'thought':
    case 'call':
      return undefined
    default:
      return never(item)
  }
}
