import { GoogleGenAI } from '@google/genai'
import { type Door, playRecorded, type RecordedRequest, recordedRequests } from '@unloop/testing'
import { expect, test } from 'vitest'
import * as anthropic from '../../src/adapters/anthropic/index.js'
import * as google from '../../src/adapters/google/index.js'
import * as openai from '../../src/adapters/openai/index.js'
import { createGuards } from '../../src/host/guards.js'

type DoorName = 'unloop/openai' | 'unloop/anthropic' | 'unloop/google'

/** Cases whose verdicts are not the expected ones yet: what becomes of their requests instead. A case that is mended leaves this list. */
const KNOWN_DIFFERENCES: Record<DoorName, Record<string, string>> = {
  'unloop/openai': {
    'openai-chat-other-pictures': 'ended',
    'openai-responses-new-names': 'go',
  },
  'unloop/anthropic': {},
  'unloop/google': {
    'gemini-new-names': 'go',
    'gemini-other-pictures': 'ended',
  },
}

const DOORS: Record<RecordedRequest['protocol'], DoorName> = {
  'openai-chat': 'unloop/openai',
  'openai-responses': 'unloop/openai',
  anthropic: 'unloop/anthropic',
  gemini: 'unloop/google',
}

/** The adapters of a program that has just started, each with the guards of all its conversations. */
const OPEN: Record<DoorName, (url: string) => Door> = {
  'unloop/openai'(url) {
    const send = openai.guardFetch(createGuards())
    return {
      send: async (request) => (await send(url + request.path, toInit(request))).text(),
    }
  },
  'unloop/anthropic'(url) {
    const middleware = anthropic.guardMiddleware(createGuards())
    const next = (request: { url: string; body: string }) => fetch(request.url, request)
    return {
      send: async (request) =>
        (await middleware({ url: url + request.path, ...toInit(request) }, next)).text(),
    }
  },
  'unloop/google'(url) {
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    // the part of the SDK that sends what its methods have written
    const { apiClient } = google.guardClient(createGuards(), client) as unknown as GoogleSender
    return {
      async send(request) {
        const response = await apiClient.apiCall(url + request.path, toInit(request))
        if (!request.path.includes(':stream')) return response.json()
        // each piece is heard when it is read
        for await (const piece of apiClient.processStreamResponse(response)) await piece.json()
      },
    }
  },
}

interface GoogleSender {
  apiClient: {
    apiCall(url: string, init: object): Promise<Response>
    processStreamResponse(response: Response): AsyncIterable<Response>
  }
}

const toInit = ({ method, headers, body }: RecordedRequest) => ({
  method,
  headers,
  body: JSON.stringify(body),
})

test.each(recordedRequests().map((one) => [one.name, one] as const))('%s', async (_, recorded) => {
  const name = DOORS[recorded.requests[0]?.protocol ?? 'openai-chat']
  const difference = await playRecorded(recorded, async (url) => OPEN[name](url))
  expect(difference, recorded.why).toBe(KNOWN_DIFFERENCES[name][recorded.name])
})
