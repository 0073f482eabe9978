import { defineDetector } from '../detector.js'
import { judgeMessages, messagePressure } from '../message-rule.js'
import { endMessage, type Messages, say, startMessages, unsay } from '../messages.js'
import { type Channel, channelPressure, endText, hear, startChannel } from '../text/channel.js'
import { loadChannel, saveChannel } from '../text/save-channel.js'

interface State {
  messages: Messages
  channel: Channel
}

export const repeatedThought = defineDetector({
  name: 'repeated-thought',
  finds: 'the same thought again and again, within one turn or turn after turn',
  advice: 'You keep thinking the same thought. Decide with what you know, and act on it.',
  stage: 'stable',
  plane: 'text',
  on: ['reasoning', 'tool-call', 'turn-start', 'turn-end', 'retry'],

  options: {
    same: 4,
    alike: 5,
    withoutCalls: 4,
    likeness: 0.7,
    laps: 6,
    characters: 220,
    codeCharacters: 800,
    dataCharacters: 5000,
    marksCharacters: 2000,
  },

  start: (): State => ({ messages: startMessages(), channel: startChannel() }),
  restart: ({ channel }) => ({ messages: startMessages(), channel: endText(channel) }),

  observe({ messages, channel }, event, { log, options, number }) {
    if (event.type === 'reasoning') {
      say(messages, event.text, number)
      return hear(channel, event.text, number, options)
    }
    if (messages.since < 0) return
    const { text } = messages
    endText(channel)
    if (event.type === 'retry') unsay(messages)
    const said = endMessage(messages, log)
    const report = said && judgeMessages(messages, said, log, options, 'thought', text)
    // a thought that is over can be answered; one that goes on can only be cut
    return report && { ...report, plane: 'calls' }
  },

  pressure({ messages, channel }, { log, options }) {
    const across = messagePressure(messages, log, options)
    const within = channelPressure(channel, options)
    return across.pressure >= within.pressure ? across : within
  },

  save: ({ messages, channel }) => ({ messages, channel: saveChannel(channel) }),
  load(saved) {
    const { messages, channel } = saved as { messages: Messages; channel: unknown }
    return { messages, channel: loadChannel(channel) }
  },
})
