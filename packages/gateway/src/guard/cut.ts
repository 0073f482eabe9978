/** The same text in memory of its own: a part of a text keeps all of it, however long that is. */
export const copyOf = (part: string): string => JSON.parse(JSON.stringify(part))

/** The beginning of a text, without the rest. */
export const cut = (text: string, most: number): string =>
  text.length > most ? copyOf(text.slice(0, most)) : text
