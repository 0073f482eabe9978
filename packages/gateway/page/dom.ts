type Attributes = Record<string, string | boolean | undefined>
type Child = Node | string

/** An element; texts in it are only ever text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children)
  return made
}

export const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement

export const field = (id: string): HTMLInputElement => byId(id) as HTMLInputElement

/** Shows a text; one that is shown already is left alone, so that nothing is announced or drawn twice. */
export function setText(node: Element, text: string): void {
  const shown = printable(text)
  if (node.textContent !== shown) node.textContent = shown
}

/** Sets an attribute, or removes it if the value is undefined. */
export function setAttribute(node: Element, name: string, value: string | undefined): void {
  if (value === undefined) node.removeAttribute(name)
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value)
}

/** Whether the key goes into a text that the person is writing. */
export const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement

/** Without control characters and without those that turn the direction of what follows. */
const printable = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
