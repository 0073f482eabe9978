/** A text in the person's language, with `{0}`, `{1}` filled in; `vscode.l10n.t` is one. */
export type Translate = (text: string, ...values: (string | number)[]) => string

/** The English text itself. */
export const inEnglish: Translate = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]))
