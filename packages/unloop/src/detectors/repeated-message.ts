import { defineDetector } from '../detector.js'
import { judgeMessages, messagePressure } from '../speech/message-rule.js'
import { endMessage, type Messages, startMessages } from '../speech/messages.js'

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  finds: 'the same or nearly the same message turn after turn, with nothing achieved in between',
  advice:
    'You keep saying this. If you announced something, do it; if it did not help, do something else, or say what is stopping you.',
  stage: 'stable',
  plane: 'calls',
  on: ['prompt', 'tool-call', 'turn-start', 'turn-end', 'retry'],

  options: { likely: 3, limit: 4 },

  start: (): Messages => startMessages(),

  observe(messages, { type }, { log, options }) {
    const said = endMessage(messages, log.speech, log, type === 'retry')
    return said && judgeMessages(messages, said, log, options, 'message', log.speech.text)
  },

  pressure: (messages, { log, options }) => messagePressure(messages, log, options),
})
