// Every relative link in every Markdown file must lead to a file that exists and, with #, to a heading in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
const pages = [...new Set(listed.split('\0'))].filter(
  (page) => page && existsSync(join(root, page)),
)

let count = 0
const broken = []
for (const page of pages) {
  for (const { target, line } of linksOf(withoutCode(read(join(root, page))))) {
    count++
    const problem = problemWith(join(root, page), target)
    if (problem) broken.push(`${page}:${line}: ${target}: ${problem}`)
  }
}
for (const message of broken) console.error(message)
console.log(`${count} links in ${pages.length} pages, ${broken.length} broken`)
process.exitCode = broken.length ? 1 : 0

function linksOf(text) {
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
  const named = [...text.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)]
  return [...inline, ...named]
    .filter(([, target]) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .map(({ 1: target, index }) => ({ target, line: text.slice(0, index).split('\n').length }))
}

function problemWith(page, target) {
  const [path, anchor] = target.split('#')
  const file = path ? resolve(dirname(page), decodeURIComponent(path)) : page
  if (relative(root, file).startsWith('..')) return 'leads out of the repository'
  if (!existsSync(file)) return 'no such file'
  if (!anchor) return
  if (statSync(file).isDirectory() || !file.endsWith('.md'))
    return 'an anchor needs a Markdown page'
  if (!anchorsOf(file).has(anchor)) return 'no such heading'
}

// as GitHub does it: lower case, punctuation dropped, blanks to hyphens, -1 for the second of a name
function anchorsOf(file) {
  const seen = new Map()
  const anchors = new Set()
  for (const [, title] of withoutCode(read(file), false).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const again = seen.get(slug) ?? 0
    seen.set(slug, again + 1)
    anchors.add(again ? `${slug}-${again}` : slug)
  }
  return anchors
}

// keeps the newlines, so that line numbers stay right
function withoutCode(text, spans = true) {
  const fenced = text.replace(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?^\1\2`*[ \t]*$/gm, blank)
  return spans ? fenced.replace(/`[^`\n]*`/g, blank) : fenced
}

function blank(code) {
  return code.replace(/[^\n]/g, ' ')
}

function read(file) {
  return readFileSync(file, 'utf8')
}
