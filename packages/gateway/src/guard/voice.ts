import { type AgentEvent, callKey } from 'unloop'

// The place of a history leaves out what the model said in words, since clients trim it. Two people who ask the same thing then stand
// at the same place. Where nothing else tells them apart, the words do.

/** What a model has said, as a name. */
export interface Voice {
  hear(event: AgentEvent): void
  readonly name: string
}

// enough to tell two answers to the same question apart
const MAX_SPEECH = 500

export function createVoice(): Voice {
  let before = ''
  let speech = ''

  function settle(): string {
    const words = speech.replace(/\s+/g, '').slice(0, MAX_SPEECH)
    return words === '' ? before : callKey('voice', [before, words])
  }

  function hear(event: AgentEvent): void {
    if (event.type === 'text') {
      // white space is dropped later, and there may be much of it
      speech += event.text.slice(0, Math.max(0, 4 * MAX_SPEECH - speech.length))
    } else if (event.type === 'prompt' || event.type === 'tool-result') {
      before = settle()
      speech = ''
    }
  }

  return {
    hear,
    get name() {
      return settle()
    },
  }
}
