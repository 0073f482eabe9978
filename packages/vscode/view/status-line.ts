import { showCount } from 'unloop/words'
import type { Status } from '../src/protocol.js'
import { fill, h } from './dom.js'
import type { Frame } from './frame.js'

/** How things stand, in one line that is changed in place, so that the focus stays on its button. */
export function createStatusLine({ words, tell }: Pick<Frame, 'words' | 'tell'>) {
  const light = h('span')
  const model = h('button', {
    ...{ type: 'button', class: 'path', onclick: () => tell({ type: 'pick-model' }) },
  })
  const figures = h('span')
  const problem = h('span', { class: 'fault' })
  const fault = h('span', { class: 'fault' })
  const sign = h('span', { class: 'sign' })

  return {
    element: h('p', { class: 'status' }, light, model, figures, problem, fault, sign),
    show(status: Status) {
      const { guardMode, turn, tokens } = status
      light.className = `guard ${guardMode}`
      const name = fill(words.pickModel, status.model)
      write(model, status.model)
      model.setAttribute('aria-label', name)
      model.title = name
      const guard = {
        ...{ enforce: words.guardOn, observe: words.guardObserve, off: words.guardOff },
      }[guardMode]
      const parts = [
        ...['', guard],
        ...(turn > 0 ? [fill(words.turn, turn)] : []),
        ...(tokens > 0 ? [fill(words.tokens, showCount(tokens))] : []),
      ]
      write(figures, parts.join(' · '))
      write(problem, status.problem)
      write(fault, status.fault && words.fault)
      fault.title = status.fault ?? ''
      const near = status.sign
      write(sign, near && fill(words.near, near.detector, near.count, near.limit))
    },
  }
}

/** Shows a text, if it is another one; without one there is nothing. */
function write(element: HTMLElement, text = '') {
  element.hidden = text === ''
  if (element.textContent !== text) element.textContent = text
}
