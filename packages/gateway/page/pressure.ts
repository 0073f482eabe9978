import { showPercent } from 'unloop/words'
import { element, setAttribute, setText } from './dom.js'

/** How close a session is to a loop, as a bar and in words. */
export function createPressure(): { element: HTMLElement; update(pressure: number): void } {
  const meter = element('meter', { min: '0', max: '1', 'aria-label': 'Pressure' })
  const words = element('span', { 'aria-hidden': 'true' })
  const title = 'How close the closest detector is to reporting a loop'
  return {
    element: element('p', { class: 'pressure', title }, meter, words),
    update(pressure) {
      const percent = showPercent(pressure)
      if (meter.value !== pressure) meter.value = pressure
      setAttribute(meter, 'aria-valuetext', `${percent} of the way to a loop`)
      setText(words, `${percent} pressure`)
    },
  }
}
