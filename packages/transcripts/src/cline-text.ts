/** A call that stands in the text of an answer, as tags. */
export interface TextCall {
  name: string
  args: Record<string, string>
}

const TOOLS = [
  'read_file',
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
  'search_files',
  'codebase_search',
  'list_files',
  'list_code_definition_names',
  'execute_command',
  'browser_action',
  'use_mcp_tool',
  'access_mcp_resource',
  'ask_followup_question',
  'attempt_completion',
  'plan_mode_respond',
  'new_task',
  'switch_mode',
  'update_todo_list',
  'fetch_instructions',
]

/** Parts an answer into its thought, its words and the call in it, as Cline and Roo had models write them. */
export function splitCalls(text: string): { thought: string; words: string; call?: TextCall } {
  const calls: (TextCall & { start: number })[] = []
  for (const name of TOOLS) {
    const start = text.indexOf(`<${name}>`)
    if (start < 0) continue
    const from = start + name.length + 2
    const end = text.lastIndexOf(`</${name}>`)
    calls.push({ name, args: tagsIn(text.slice(from, end < from ? undefined : end)), start })
  }
  // only the first is carried out; the rest may be words about tools
  const [first] = calls.sort((a, b) => a.start - b.start)
  const said = (first ? text.slice(0, first.start) : text).trim()
  const end = said.startsWith('<thinking>') ? said.indexOf('</thinking>') : -1
  const thought = end < 0 ? '' : said.slice(10, end).trim()
  const words = end < 0 ? said : said.slice(end + 11).trim()
  return first
    ? { thought, words, call: { name: first.name, args: first.args } }
    : { thought, words }
}

/** What a tool answered, in a message of the user: `[read_file for 'a.ts'] Result:` and the rest. */
export function splitResult(text: string): { name: string; output: string } | undefined {
  if (!text.startsWith('[')) return
  const head = text.slice(0, 2000)
  const end = head.indexOf('] Result:')
  if (end < 0) return
  const name = /^\w+/.exec(head.slice(1, end))?.[0]
  return name ? { name, output: text.slice(end + 9).trim() } : undefined
}

/** The words of the person, which stand between tags; undefined if there are none. */
export function personIn(text: string): string | undefined {
  for (const tag of ['task', 'feedback', 'user_message', 'answer']) {
    const start = text.indexOf(`<${tag}>`)
    const end = text.lastIndexOf(`</${tag}>`)
    if (start >= 0 && end > start) return text.slice(start + tag.length + 2, end).trim()
  }
}

// no tool has as many parameters; each may mean a search through all of the text
const MAX_TAGS = 50

function tagsIn(text: string): Record<string, string> {
  const tags: [name: string, text: string][] = []
  let from = 0
  for (let i = 0; i < MAX_TAGS && from < text.length; i++) {
    const open = text.indexOf('<', from)
    const close = text.indexOf('>', open)
    if (open < 0 || close < 0) break
    const name = text.slice(open + 1, close)
    const end = /^[a-z_]{1,40}$/.test(name) ? text.indexOf(`</${name}>`, close) : -1
    if (end >= 0) tags.push([name, text.slice(close + 1, end).trim()])
    from = end >= 0 ? end + name.length + 3 : close + 1
  }
  return Object.fromEntries(tags)
}
