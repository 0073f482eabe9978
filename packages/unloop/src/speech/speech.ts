/** The current message or thought. */
export interface Speech {
  /** its first characters, and the number of its first event; -1 before any */
  text: string
  since: number
  isOver: boolean
  /** of all of it */
  length: number
}

export const startSpeech = (): Speech => ({ text: '', since: -1, isOver: true, length: 0 })

// its beginning says what it is about
const MAX_TEXT = 1200

/** Takes a delta. */
export function say(speech: Speech, text: string, number: number): void {
  if (speech.isOver) {
    speech.text = ''
    speech.since = number
    speech.isOver = false
    speech.length = 0
  }
  speech.length += text.length
  const room = MAX_TEXT - speech.text.length
  if (room > 0) speech.text += text.slice(0, room)
}
