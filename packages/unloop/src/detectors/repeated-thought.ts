import { defineDetector } from '../detector.js'
import { type Channel, channelPressure, endText, hear, startChannel } from '../speech/channel.js'
import { judgeMessages, messagePressure } from '../speech/message-rule.js'
import { endMessage, type Messages, startMessages } from '../speech/messages.js'
import { loadChannel, saveChannel } from '../speech/save-channel.js'
import { type Speech, say, startSpeech } from '../speech/speech.js'

interface State {
  messages: Messages
  speech: Speech
  channel: Channel
}

export const repeatedThought = defineDetector({
  name: 'repeated-thought',
  finds: 'the same thought again and again, within one turn or turn after turn',
  advice:
    'You keep having the same thought. Decide based on what you know, and act on it; if what you do about it does not help, do something else.',
  stage: 'stable',
  plane: 'text',
  on: ['reasoning', 'tool-call', 'turn-start', 'turn-end', 'retry'],

  options: { likely: 3, limit: 4, laps: 6, characters: 220 },

  start: (): State => ({
    messages: startMessages(),
    speech: startSpeech(),
    channel: startChannel(),
  }),

  observe({ messages, speech, channel }, event, { log, options, number }) {
    if (event.type === 'reasoning') {
      say(speech, event.text, number)
      return hear(channel, event.text, number, options, log)
    }
    if (speech.isOver) return
    speech.isOver = true
    endText(channel)
    const said = endMessage(messages, speech, log, event.type === 'retry')
    const report = said && judgeMessages(messages, said, log, options, 'thought', speech.text)
    // a finished thought can be answered; one that is still going can only be cut
    return report && { ...report, plane: 'calls' }
  },

  pressure({ messages, channel }, { log, options }) {
    const across = messagePressure(messages, log, options)
    const within = channelPressure(channel, options)
    return across.pressure >= within.pressure ? across : within
  },

  save: ({ channel, ...rest }) => ({ ...rest, channel: saveChannel(channel) }),
  load(saved) {
    const { channel, ...rest } = saved as Omit<State, 'channel'> & { channel: unknown }
    return { ...rest, channel: loadChannel(channel) }
  },
})
