// what programs put into a message of the person: notes, reminders, output of commands
const INJECTED =
  /^(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|user_action|permissions|collaboration_mode|recommended_plugins|codex_internal_context|subagent_notification|skill|session_context|hook_context|system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr|task-notification|teammate-message|cross-session-message|user-memory-input|ide_selection|ide_opened_file|environment_details)\b|# AGENTS\.md|Caveat: The messages below|\[Request interrupted|This session is being continued from a previous)/
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g
const COMMAND = /<command-name>([^<]*)<\/command-name>/
const COMMAND_ARGS = /<command-args>([\s\S]*?)<\/command-args>/

// a request is said at its beginning; a file pasted behind it need not be looked through
const LOOKED_AT = 4000

/** What a person wrote, without what the program put around it; undefined if all of it is the program's. */
export function requestOf(text: string): string | undefined {
  let own = text
  if (own.length <= LOOKED_AT && own.includes('<system-reminder>')) own = own.replace(REMINDER, '')
  own = own.trim()
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
  const name = COMMAND.exec(text)?.[1]?.trim()
  if (!name) return
  const args = COMMAND_ARGS.exec(text)?.[1]?.trim()
  return args ? `${name} ${args}` : name
}
