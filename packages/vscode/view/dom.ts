type Child = Node | string | false | undefined

/** An element with attributes, listeners (`onclick`) and children; text is text, never markup. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | boolean | undefined | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(key.slice(2), value)
    else element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== undefined && child !== false))
  return element
}

/** A text with `{0}`, `{1}` filled in. */
export const fill = (text: string, ...values: (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]))
