import { defineDetector } from '../detector.js'
import { judgeMessages, messagePressure } from '../message-rule.js'
import { endMessage, type Messages, say, startMessages, unsay } from '../messages.js'

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  finds: 'the same or nearly the same message turn after turn, with nothing achieved in between',
  advice:
    'You have said this several times already. Do it now, or say what keeps you from doing it.',
  stage: 'stable',
  plane: 'calls',
  on: ['text', 'tool-call', 'turn-start', 'turn-end', 'retry'],

  options: { same: 4, alike: 5, withoutCalls: 3, likeness: 0.7 },

  start: (): Messages => startMessages(),

  observe(messages, event, { log, options, number }) {
    const { text } = messages
    if (event.type === 'text') say(messages, event.text, number)
    else if (event.type === 'retry') unsay(messages)
    else {
      const said = endMessage(messages, log)
      if (said) return judgeMessages(messages, said, log, options, 'message', text)
    }
  },

  pressure: (messages, { log, options }) => messagePressure(messages, log, options),
})
