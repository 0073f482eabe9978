// what programs put into a message of the person: notes, reminders, output of commands
const INJECTED =
  /^(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|user_action|permissions|collaboration_mode|recommended_plugins|codex_internal_context|subagent_notification|skill|session_context|hook_context|system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr|task-notification|teammate-message|cross-session-message|user-memory-input|ide_selection|ide_opened_file|environment_details)\b|# AGENTS\.md|Caveat: The messages below|\[Request interrupted|This session is being continued from a previous)/

// a request is said at its beginning; a file pasted behind it need not be looked through
const LOOKED_AT = 4000

/** What a person wrote, without what the program put around it; undefined if all of it is the program's. */
export function requestOf(text: string): string | undefined {
  const own = (text.length <= LOOKED_AT ? withoutReminders(text) : text).trim()
  if (own === '') return
  const first = own.charCodeAt(0)
  if (first === 60 && own.startsWith('<command-')) return commandOf(own.slice(0, LOOKED_AT))
  // '<', '#', 'C', '[', 'T': nothing else begins an injected text
  if (first === 60 || first === 35 || first === 67 || first === 91 || first === 84) {
    if (INJECTED.test(own.slice(0, 80))) return
  }
  return own
}

/** The requests in the content of a message, which is a text or a list of parts. */
export function requestIn(content: unknown): string | undefined {
  if (typeof content === 'string') return requestOf(content)
  if (!Array.isArray(content)) return
  const requests: string[] = []
  for (const part of content) {
    const text = typeof part === 'string' ? part : part?.text
    const request = typeof text === 'string' ? requestOf(text) : undefined
    if (request !== undefined) requests.push(request)
  }
  return requests.length > 0 ? requests.join('\n\n') : undefined
}

function commandOf(text: string): string | undefined {
  const name = between(text, 'command-name')
  // says something to the program only
  if (name === '/exit' || name === '/quit') return
  const args = between(text, 'command-args')
  return name && args ? `${name} ${args}` : name || undefined
}

/** What stands between the first tags of a name, without blanks around it. */
function between(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`)
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim()
}

const REMINDER = '<system-reminder>'
const REMINDER_END = '</system-reminder>'

function withoutReminders(text: string): string {
  let own = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(REMINDER, from)
    const end = start < 0 ? -1 : text.indexOf(REMINDER_END, start)
    if (end < 0) return own + text.slice(from)
    own += text.slice(from, start)
    from = end + REMINDER_END.length
  }
}
