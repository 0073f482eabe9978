const FOCUSABLE = 'summary, button, input, a, [tabindex]'

/** Draws an item again in the place of its old element, with what the person has unfolded, written and focused there. */
export function carryOver(
  old: Element,
  draw: () => HTMLElement,
  focusInput: () => void,
): HTMLElement {
  const active = old.contains(document.activeElement) ? document.activeElement : null
  const position = active ? [...old.querySelectorAll(FOCUSABLE)].indexOf(active) : -1
  const wasOpen = old.querySelector('details')?.open
  const next = draw()
  carryHint(old.querySelector('form'), next.querySelector('form'))
  const hadChoices = old.querySelector('[data-key]') !== null
  old.replaceWith(next)
  const details = next.querySelector('details')
  if (details && wasOpen) details.open = true
  if (!active) return next
  // a card whose buttons are gone must not leave the keyboard nowhere
  const isDecided = hadChoices && !next.querySelector('[data-key]')
  const same = isDecided ? undefined : sameIn(next, active, position)
  if (same) focusAgain(same, active)
  else focusInput()
  return next
}

/** Keeps a hint that is being written. */
function carryHint(old: HTMLFormElement | null, next: HTMLFormElement | null) {
  const [from, to] = [old?.querySelector('input'), next?.querySelector('input')]
  if (!old || !next || !from || !to) return
  next.hidden = old.hidden
  to.value = from.value
}

/** The element that is now what the focused one was. */
function sameIn(next: HTMLElement, active: Element, position: number): HTMLElement | undefined {
  const all = [...next.querySelectorAll<HTMLElement>(FOCUSABLE)]
  const kept = all.find((one) => one === active)
  if (kept) return kept
  const there = all[position]
  const isSame = there?.tagName === active.tagName && labelOf(there) === labelOf(active)
  return isSame ? there : undefined
}

const labelOf = (element: Element) =>
  element instanceof HTMLButtonElement ? element.textContent : ''

function focusAgain(element: HTMLElement, active: Element) {
  element.focus({ preventScroll: true })
  if (element instanceof HTMLInputElement && active instanceof HTMLInputElement) {
    element.setSelectionRange(active.selectionStart, active.selectionEnd)
  }
}

/** Fills a list of things with buttons again; the focus stays on its button, or goes to what `instead` gives for its place. */
export function refill(
  list: HTMLElement,
  entries: HTMLElement[],
  instead: (place: number) => HTMLElement,
) {
  const active = document.activeElement
  const place = [...list.children].findIndex((entry) => entry.contains(active))
  const name = active?.getAttribute('aria-label')
  list.hidden = entries.length === 0
  list.replaceChildren(...entries)
  if (place < 0) return
  const same = [...list.querySelectorAll('button')].find(
    (button) => button.getAttribute('aria-label') === name,
  )
  const target = same ?? instead(place)
  target.focus()
}
