/** Puts a text into the person's language; `{0}`, `{1}` stand for the values. */
export type Translate = (text: string, ...values: (string | number)[]) => string

/** The text as it is, with its values. */
export const inEnglish: Translate = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place))
