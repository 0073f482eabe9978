import {
  type Message,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from '@unloop/agent'
import type * as vscode from 'vscode'

/** What is used of the editor to ask the models that it offers to extensions. */
export type LmApi = Pick<
  typeof vscode,
  | 'lm'
  | 'LanguageModelChatMessage'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
  | 'CancellationTokenSource'
>

export const LM_PROVIDER = 'vscode-lm'

/** A model of the editor, such as those of a Copilot subscription, by its family or `VENDOR/FAMILY`. Throws a `ModelError`. */
export async function createLmModel(api: LmApi, name: string): Promise<Model> {
  const [family = '', vendor] = name.split('/').reverse()
  const [chat] = await api.lm.selectChatModels({ family, ...(vendor && { vendor }) })
  if (!chat) {
    throw new ModelError('configuration', `the editor has no model ${name}`, {
      advice:
        'Sign in to an extension that offers models, such as Copilot, or choose another model.',
    })
  }
  return {
    name: `${LM_PROVIDER}/${name}`,
    contextTokens: chat.maxInputTokens,
    stream: (request, signal) => stream(api, chat, request, signal),
  }
}

async function* stream(
  api: LmApi,
  chat: vscode.LanguageModelChat,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const source = new api.CancellationTokenSource()
  const cancel = () => source.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  let calls = 0
  try {
    const tools = request.tools.map(({ name, description, parameters }) => ({
      ...{ name, description, inputSchema: parameters },
    }))
    const response = await chat.sendRequest(
      toMessages(api, request),
      { justification: 'The chat of unloop asks this model.', ...(tools.length > 0 && { tools }) },
      source.token,
    )
    for await (const part of response.stream) {
      if (part instanceof api.LanguageModelTextPart) yield { type: 'text', text: part.value }
      if (!(part instanceof api.LanguageModelToolCallPart)) continue
      calls++
      yield { type: 'tool-call', id: part.callId, name: part.name, args: part.input }
    }
    signal.throwIfAborted()
    yield { type: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' }
  } catch (error) {
    signal.throwIfAborted()
    throw toModelError(error, chat.name)
  } finally {
    signal.removeEventListener('abort', cancel)
    source.dispose()
  }
}

/** The conversation in the editor's shape, which knows no system prompt. */
function toMessages(
  api: LmApi,
  { system, messages, schema }: ModelRequest,
): vscode.LanguageModelChatMessage[] {
  const { User } = api.LanguageModelChatMessage
  return [
    ...(system ? [User(system)] : []),
    ...messages.flatMap((message) => toMessage(api, message)),
    ...(schema ? [User(`Answer with JSON alone, of this schema: ${JSON.stringify(schema)}`)] : []),
  ]
}

function toMessage(api: LmApi, message: Message): vscode.LanguageModelChatMessage[] {
  const { User, Assistant } = api.LanguageModelChatMessage
  const text = (value: string) => new api.LanguageModelTextPart(value)
  if (message.role === 'user') return message.content.trim() === '' ? [] : [User(message.content)]
  if (message.role === 'tool') {
    const toResult = ({ id, output }: { id: string; output: string }) =>
      new api.LanguageModelToolResultPart(id, [text(output)])
    return [User(message.content.map(toResult))]
  }
  type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart
  const parts = message.content.flatMap((part): Part[] => {
    if (part.type === 'tool-call') {
      return [new api.LanguageModelToolCallPart(part.id, part.name, toInput(part.args))]
    }
    return part.type === 'text' && part.text !== '' ? [text(part.text)] : []
  })
  return parts.length > 0 ? [Assistant(parts)] : []
}

const toInput = (args: unknown): object => (typeof args === 'object' && args !== null ? args : {})

/** What the editor threw, in words for the person. */
function toModelError(error: unknown, name: string): ModelError {
  const { code, message } = error as { code?: string; message?: string }
  switch (code) {
    case 'NoPermissions':
      return new ModelError('refused', `unloop may not use ${name}`, {
        advice:
          'Allow it in the editor under "Manage Language Model Access", or choose another model.',
        cause: error,
      })
    case 'NotFound':
      return new ModelError('refused', `the editor no longer has the model ${name}`, {
        ...{ advice: 'Choose another model.', cause: error },
      })
    case 'Blocked':
      return new ModelError('refused', `${name} refused the request: ${message}`, {
        ...{ advice: 'The quota may be used up. Wait, or choose another model.', cause: error },
      })
    default:
      return new ModelError('network', `${name} failed: ${message}`, {
        ...{ advice: 'Try again, or choose another model.', cause: error },
      })
  }
}
