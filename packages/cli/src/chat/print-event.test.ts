import type { ClientEvent } from '@unloop/agent'
import { describe, expect, it } from 'vitest'
import { createHost } from '../../test/host.js'
import { toOutput } from '../host.js'
import { createPrinter } from './print-event.js'

const EVIL = '\x1b]0;owned\x07\x1b[31m\x9b31m\u202e'

describe('an answer that is printed', () => {
  const print = (isTerminal: boolean, ...events: ClientEvent[]) => {
    const { host, stdout, stderr } = createHost([], { isTerminal })
    const print = createPrinter(toOutput(host.stdout, host.env), toOutput(host.stderr, host.env))
    for (const event of events) print(event)
    return { stdout: stdout(), stderr: stderr() }
  }
  const half: ClientEvent = { type: 'text', text: 'Hel' }
  const retry: ClientEvent = { type: 'retry', reason: 'cut', afterMs: 0 }

  it('streams into a terminal, where a second try is seen to be one', () => {
    expect(print(true, half).stdout).toBe('Hel')
    expect(print(true, half, retry)).toEqual({
      stdout: 'Hel\n',
      stderr: 'asking the model again: cut\n',
    })
  })

  it('goes elsewhere turn by turn, without what was begun anew', () => {
    expect(print(false, half).stdout).toBe('')
    expect(print(false, half, retry, half, { type: 'turn-end' }).stdout).toBe('Hel\n')
  })

  it('says so beside it if it is empty', () => {
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }
    const turn: ClientEvent = { type: 'turn-start', turn: 1 }
    const end: ClientEvent[] = [{ type: 'turn-end' }, { type: 'finished', reason: 'done', usage }]
    for (const isTerminal of [true, false]) {
      expect(print(isTerminal, turn, ...end)).toEqual({
        stdout: '',
        stderr: 'the model sent an empty answer\n',
      })
      expect(print(isTerminal, turn, half, ...end).stderr).toBe('')
    }
  })

  it('is told without what failed in the guard, which is a line beside it', () => {
    const fault: ClientEvent = { type: 'fault', part: 'chanting', message: 'it broke' }
    expect(print(false, fault, half, retry, half, { type: 'turn-end' })).toEqual({
      stdout: 'Hel\n',
      stderr: 'part of the guard failed: chanting: it broke\nasking the model again: cut\n',
    })
  })
})

describe('what a model and its provider say', () => {
  it.each<ClientEvent>([
    { type: 'text', text: EVIL },
    { type: 'tool-call', id: '1', name: EVIL, args: { path: EVIL } },
    { type: 'tool-result', id: '1', name: 'read', output: EVIL, isError: true, outcome: 'failed' },
    { type: 'handoff', to: EVIL, text: EVIL },
    { type: 'retry', reason: EVIL, afterMs: 0 },
    { type: 'fault', part: EVIL, message: EVIL },
    { type: 'error', kind: 'network', message: EVIL, advice: EVIL },
  ])('reaches a terminal harmless: $type', (event) => {
    const { host, stdout, stderr } = createHost([], { isTerminal: true })
    createPrinter(toOutput(host.stdout, host.env), toOutput(host.stderr, host.env))(event)
    expect(stdout() + stderr()).not.toBe('')
    expect(stdout() + stderr()).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  })

  it('is JSON that does nothing to a terminal and is the same when it is read', () => {
    const { host, stdout } = createHost([], { isTerminal: true })
    toOutput(host.stdout, host.env).json({ text: EVIL })
    expect(stdout()).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(JSON.parse(stdout())).toEqual({ text: EVIL })
  })
})
