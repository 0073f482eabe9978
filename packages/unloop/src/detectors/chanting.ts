import { defineDetector } from '../detector.js'
import { type Channel, channelPressure, endText, hear, startChannel } from '../speech/channel.js'
import { loadChannel, saveChannel } from '../speech/save-channel.js'

export const chanting = defineDetector({
  name: 'chanting',
  finds: 'text that repeats itself, with any period up to several thousand characters',
  advice:
    'Your text repeated itself and was cut off. Say in one sentence what you have found so far, then take the next step.',
  stage: 'stable',
  plane: 'text',
  on: ['text', 'tool-call', 'turn-start', 'turn-end', 'retry', 'handoff'],

  options: { laps: 6, characters: 220 },

  start: (): Channel => startChannel(),

  observe(channel, event, { options, number, log }) {
    if (event.type === 'text') return hear(channel, event.text, number, options, log)
    endText(channel)
  },

  pressure: (channel, { options }) => channelPressure(channel, options),

  save: saveChannel,
  load: loadChannel,
})
