/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="dom.asynciterable" />
import { printable } from '../../../../printable.js'

type Attributes = Record<string, string | number | boolean | undefined>
type Child = Node | string | undefined | false

/** An element; texts in it are only ever text, and turn no direction. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  setAll(made, attributes)
  append(made, children)
  return made
}

/** An element of a drawing. */
export function shape(name: string, attributes: Attributes, ...children: Child[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  setAll(made, attributes)
  append(made, children)
  return made
}

export const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement

export const field = (id: string): HTMLInputElement => byId(id) as HTMLInputElement

/** Shows these in the place of what was there. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren()
  append(parent, children)
}

/** Sizes are set by script: the policy of the page allows no styles in attributes. */
export function sized<Made extends HTMLElement>(made: Made, name: string, share: number): Made {
  made.style.setProperty(name, `${Math.min(1, Math.max(0, share))}`)
  return made
}

function setAll(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    // by its value an option is found again
    made.setAttribute(
      name,
      name === 'value' ? `${value}` : printable(value === true ? '' : `${value}`),
    )
  }
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false || child === '') continue
    parent.append(typeof child === 'string' ? printable(child) : child)
  }
}
