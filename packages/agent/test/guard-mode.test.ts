import { expect, it } from 'vitest'
import { createAgent, createEmbeddedModel, type GuardMode } from '../src/index.js'

const open = (guardMode?: GuardMode) =>
  createAgent({ model: createEmbeddedModel(), ...(guardMode && { guardMode }) })

it('enforces unless told otherwise', () => {
  expect(open().guardMode).toBe('enforce')
  expect(open('observe').guardMode).toBe('observe')
})

it('refuses a mode that is none, and names the new word for an old one', () => {
  const agent = open()
  const old = /^guardMode must be one of enforce, observe, off; got "on", .* called "enforce"$/
  expect(() => open('on' as GuardMode)).toThrow(old)
  expect(() => {
    agent.guardMode = 'on' as GuardMode
  }).toThrow(old)
  expect(() => open('always' as GuardMode)).toThrow('got "always"')
  expect(agent.guardMode).toBe('enforce')
})
