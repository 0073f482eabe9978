import { isWeb } from '../src/chat/markdown.js'
import { h } from './dom.js'

/** The one place where a link is made: to the web, opened by the editor outside of the chat. */
export function webLink(href: string, children: readonly (Node | string)[]): HTMLElement {
  if (!isWeb(href)) return h('span', {}, ...children)
  return h('a', { href, title: href, rel: 'noreferrer' }, ...children)
}
