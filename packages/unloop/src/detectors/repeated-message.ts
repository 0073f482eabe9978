import { defineDetector } from '../detector.js'
import { judgeMessages, messagePressure } from '../speech/message-rule.js'
import { endMessage, type Messages, startMessages } from '../speech/messages.js'

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  finds: 'the same or nearly the same message turn after turn, with nothing achieved in between',
  advice: 'You have said this several times already. Do it now, or say what is stopping you.',
  stage: 'stable',
  plane: 'calls',
  on: ['prompt', 'tool-call', 'turn-start', 'turn-end', 'retry'],

  options: {
    likelySame: 3,
    same: 4,
    likelyAlike: 4,
    alike: 5,
    likelyWithoutCalls: 3,
    withoutCalls: 5,
    regardless: 8,
    likeness: 0.7,
  },

  start: (): Messages => startMessages(),

  observe(messages, { type }, { log, options }) {
    const said = endMessage(messages, log.speech, log, type === 'retry')
    return said && judgeMessages(messages, said, log, options, 'message', log.speech.text)
  },

  pressure: (messages, { log, options }) => messagePressure(messages, log, options),
})
