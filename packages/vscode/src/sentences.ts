/** A text that ends like a sentence, with one full stop. */
export function toSentence(text: string): string {
  const trimmed = text.trimEnd()
  return /[.!?…。！？]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** What went wrong and what can be done about it, as sentences. */
export const toSentences = (message: string, advice: string): string =>
  advice === '' ? message.trimEnd() : `${toSentence(message)} ${advice}`
