import { expect, it } from 'vitest'
import { toRequest } from './context.js'
import type { ContextPart } from './item.js'

const file: ContextPart = {
  ...{ kind: 'file', id: 'f', label: 'a.md', path: 'docs/a.md', language: 'markdown' },
  lines: [7, 7],
}

it('puts what the editor shows below the message', () => {
  expect(toRequest('What is this?', [file])).toBe(
    'What is this?\n\nWhat the editor shows:\n- open file: docs/a.md, cursor on line 7',
  )
})

it('fences a selection so that it cannot end its own fence', () => {
  const text = '````md\n```ts\n```\n````'
  const request = toRequest('And this?', [{ ...file, kind: 'selection', lines: [1, 4], text }])
  expect(request).toContain('- selected, lines 1 to 4 of docs/a.md:\n`````markdown\n````md')
  expect(request.endsWith('````\n`````')).toBe(true)
})

it('sends a command and a bare message as they are', () => {
  expect(toRequest('/stuck failing', [file])).toBe('/stuck failing')
  expect(toRequest('hello', [])).toBe('hello')
})
