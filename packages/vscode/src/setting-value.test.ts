import { describe, expect, it } from 'vitest'
import { type SettingSource, settingValue } from './setting-value.js'
import { DEFAULTS } from './settings.js'

/** Settings as the editor has them, if it lets the folder have its way everywhere. */
function source(globalValue: unknown, workspaceValue: unknown): SettingSource {
  const defaultValue = 'the default'
  return {
    get: () => workspaceValue ?? globalValue ?? defaultValue,
    inspect: () => ({ defaultValue, globalValue, workspaceValue }),
  }
}

describe('a setting of a folder', () => {
  it.each([...Object.keys(DEFAULTS), 'watch.enabled', 'context.enabled'])(
    'is not used where the folder is not trusted: %s',
    (name) => {
      expect(settingValue(name, source(undefined, 'of the folder'), false)).toBe('the default')
      expect(settingValue(name, source('mine', 'of the folder'), false)).toBe('mine')
    },
  )

  it('is used where it is trusted', () => {
    expect(settingValue('model', source('mine', 'of the folder'), true)).toBe('of the folder')
    expect(settingValue('model', source(undefined, undefined), true)).toBe('the default')
  })

  it('never says where a key goes', () => {
    expect(settingValue('baseUrl', source('mine', 'of the folder'), true)).toBe('mine')
    expect(settingValue('baseUrl', source(undefined, 'of the folder'), true)).toBe('the default')
  })

  it('that is false for the person is not made true', () => {
    expect(settingValue('watch.enabled', source(false, true), false)).toBe(false)
  })
})
