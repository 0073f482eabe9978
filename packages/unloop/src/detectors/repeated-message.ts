import { defineDetector } from '../detector.js'
import { judgeMessages, messagePressure } from '../message-rule.js'
import { endMessage, type Messages, startMessages } from '../messages.js'

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  finds: 'the same or nearly the same message turn after turn, with nothing achieved in between',
  advice:
    'You have said this several times already. Do it now, or say what keeps you from doing it.',
  stage: 'stable',
  plane: 'calls',
  on: ['tool-call', 'turn-start', 'turn-end', 'retry'],

  options: { same: 4, alike: 5, withoutCalls: 3, likeness: 0.7 },

  start: (): Messages => startMessages(),

  observe(messages, { type }, { log, options }) {
    const said = endMessage(messages, log.speech, log, type === 'retry')
    return said && judgeMessages(messages, said, log, options, 'message', log.speech.text)
  },

  pressure: (messages, { log, options }) => messagePressure(messages, log, options),
})
