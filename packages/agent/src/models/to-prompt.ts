import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { AssistantPart, Message } from '../message.js'
import type { ModelRequest } from '../model.js'

export interface PromptOptions {
  /** for servers that allow no word between tool results and the model: notes of the guard join the last result */
  notesInResults?: boolean
}

/** The chat in the AI SDK's shape, in an order of roles that every provider takes. */
export function toPrompt(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  { notesInResults = false }: PromptOptions = {},
): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = []
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role !== 'user') {
      if (!last) prompt.push(toUser(BEGINNING))
      if (message.role === 'tool') prompt.push(toResults(message))
      else prompt.push(...toAssistant(message))
      continue
    }
    // providers refuse empty texts
    if (message.content.trim() === '') continue
    if (last?.role === 'user')
      last.content = toUser(`${textOfUser(last)}\n\n${message.content}`).content
    else if (notesInResults && message.from === 'guard' && last?.role === 'tool')
      addNote(last, message.content)
    else prompt.push(toUser(message.content))
  }
  return system ? [{ role: 'system', content: system }, ...prompt] : prompt
}

/** what stands where a chat would begin with the model's words, which no provider takes */
const BEGINNING = '(The beginning of this conversation is not shown.)'

type Role<R extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: R }>

/** One text only: small servers take no lists. */
const toUser = (text: string): Role<'user'> => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

const textOfUser = ({ content }: Role<'user'>) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')

function toAssistant({ content }: Extract<Message, { role: 'assistant' }>): Role<'assistant'>[] {
  const parts = content.filter((part) => !isEmpty(part)).map(toPart)
  return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
}

const isEmpty = (part: AssistantPart) =>
  part.type !== 'tool-call' && part.text === '' && part.meta === undefined

function toPart(part: AssistantPart): Role<'assistant'>['content'][number] {
  const options =
    part.meta === undefined ? {} : { providerOptions: part.meta as SharedV3ProviderOptions }
  if (part.type !== 'tool-call') return { type: part.type, text: part.text, ...options }
  const { id, name, args, invalid } = part
  // arguments that are not an object are refused even as history
  const input = invalid === undefined && isObject(args) ? args : {}
  return { type: 'tool-call', toolCallId: id, toolName: name, input, ...options }
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toResults = ({ content }: Extract<Message, { role: 'tool' }>): Role<'tool'> => ({
  role: 'tool',
  content: content.map(({ id, name, output, isError }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: isError ? 'error-text' : 'text', value: output },
  })),
})

function addNote({ content }: Role<'tool'>, note: string): void {
  const result = content.at(-1)
  if (result?.type !== 'tool-result' || !('value' in result.output)) return
  result.output = {
    ...result.output,
    value: `${result.output.value}\n\n${note}`,
  } as typeof result.output
}
