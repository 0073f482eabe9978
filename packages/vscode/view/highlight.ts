import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { h } from './dom.js'

const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, lua },
  ...{ makefile, markdown, php, powershell, python, ruby, rust, scss, sql, swift, typescript, xml },
  yaml,
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

// some milliseconds; longer code is read without colors
const MAX_CHARACTERS = 20_000

/** Code as nodes, its words marked with classes if the language is known. */
export function highlight(text: string, language: string): (Node | string)[] {
  const name = language.toLowerCase()
  if (text.length > MAX_CHARACTERS || !hljs.getLanguage(name)) return [text]
  return toNodes(hljs.highlight(text, { language: name, ignoreIllegals: true }).value)
}

/** The nodes for what highlight.js writes: text, and spans with classes. */
function toNodes(html: string): (Node | string)[] {
  const root: HTMLElement = h('span')
  const open: HTMLElement[] = [root]
  for (const part of html.split(/(<span class="[^"]*">|<\/span>)/)) {
    const parent = open.at(-1) ?? root
    if (part === '</span>') {
      if (open.length > 1) open.pop()
      continue
    }
    const [, names] = part.match(/^<span class="([\w -]*)">$/) ?? []
    if (names === undefined) {
      parent.append(decode(part))
      continue
    }
    const span = h('span', { class: names })
    parent.append(span)
    open.push(span)
  }
  return [...root.childNodes]
}

const ENTITIES: Record<string, string> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" },
}

const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
