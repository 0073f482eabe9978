// Compiled, never run: what the adapter takes and gives must fit the SDK in every version that people have.
import { type CallableTool, type FunctionCall, GoogleGenAI } from '@google/genai'
import {
  type CallableTool as CallableTool1,
  type FunctionCall as FunctionCall1,
  GoogleGenAI as GoogleGenAI1,
} from 'genai1'
import { createGuard } from '../../guard.js'
import { guardClient, refusal } from './index.js'

const guard = createGuard()
const request = { model: 'gemini-3-pro', contents: 'go' }

export async function version2(tool: CallableTool, call: FunctionCall) {
  const client = guardClient(guard, new GoogleGenAI()) satisfies GoogleGenAI
  const config = { tools: [tool, { googleSearch: {} }] }
  await client.chats.create({ model: request.model, config }).sendMessage({ message: 'go' })
  refusal(guard, call) satisfies string | undefined
  return (await client.models.generateContent({ ...request, config })).text
}

export async function version1(tool: CallableTool1, call: FunctionCall1) {
  const client = guardClient(guard, new GoogleGenAI1({})) satisfies GoogleGenAI1
  const config = { tools: [tool, { googleSearch: {} }] }
  await client.chats.create({ model: request.model, config }).sendMessage({ message: 'go' })
  refusal(guard, call) satisfies string | undefined
  return (await client.models.generateContent({ ...request, config })).text
}
