/** Something that is shown, and can show newer data in the same elements. */
export interface Item<Data> {
  element: HTMLElement
  update(data: Data): void
}

export interface KeyedList<Data, Shown extends Item<Data>> {
  show(all: readonly Data[]): void
  items: ReadonlyMap<string, Shown>
}

/** A list whose elements stay the same as long as their data has the same key, so that the focus stays too. */
export function createKeyedList<Data, Shown extends Item<Data>>(
  parent: HTMLElement,
  keyOf: (data: Data) => string,
  create: (data: Data) => Shown,
): KeyedList<Data, Shown> {
  const items = new Map<string, Shown>()
  return {
    items,
    show(all) {
      const keys = new Set(all.map(keyOf))
      for (const [key, { element }] of items) {
        if (keys.has(key)) continue
        items.delete(key)
        remove(element)
      }
      const wanted = all.map((data) => {
        const key = keyOf(data)
        const item = items.get(key) ?? create(data)
        items.set(key, item)
        item.update(data)
        return item.element
      })
      arrange(parent, wanted)
    },
  }
}

/** Removes an element; the focus, if it is in there, goes to the same place in a neighbor. */
function remove(element: HTMLElement): void {
  const hadFocus = element.contains(document.activeElement)
  const neighbor = element.nextElementSibling ?? element.previousElementSibling
  element.remove()
  if (hadFocus) neighbor?.querySelector<HTMLElement>('button, summary')?.focus()
}

/** Puts the elements into order around the one that has the focus, which an element loses when it is moved. */
function arrange(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  const focused = wanted.findIndex((one) => one.contains(document.activeElement))
  const first = wanted.indexOf(parent.firstElementChild as HTMLElement)
  const at = Math.max(0, focused === -1 ? first : focused)
  const still = wanted[at]
  if (!still) return
  if (still.parentNode !== parent) parent.append(still)
  let near = still
  for (const one of wanted.slice(0, at).reverse()) {
    if (near.previousElementSibling !== one) near.before(one)
    near = one
  }
  near = still
  for (const one of wanted.slice(at + 1)) {
    if (near.nextElementSibling !== one) near.after(one)
    near = one
  }
}
