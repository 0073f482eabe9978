import { describe, expect, it } from 'vitest'
import { type Inverse, inverseOf, LAST } from './inverse.js'

const ofLine = (command: string) => inverseOf('bash', { command }, command)
const ofCall = (name: string, args: unknown) => inverseOf(name, args, undefined)
const isOpposite = (one: Inverse, other: Inverse) =>
  one.does !== 0 && one.does === other.undoes && other.does === one.undoes

describe('a command line that is taken back', () => {
  it.each([
    ['touch a', 'rm a'],
    ['touch a', 'rm -f a'],
    ['mkdir -p src/a', 'rm -rf src/a'],
    ['git add .', 'git restore --staged .'],
    ['git stash', 'git stash pop'],
    ['npm install left-pad', 'npm uninstall left-pad'],
    ['systemctl start web', 'systemctl stop web'],
    ['docker start web', 'docker stop web'],
  ])('%s: %s', (one, other) => expect(isOpposite(ofLine(one), ofLine(other))).toBe(true))

  it.each([
    ['touch a', 'rm b'],
    ['touch a', 'touch a'],
    ['touch a && make', 'rm a'],
    ['echo x > a', 'rm a'],
    ['make a', 'python a.py'],
  ])('%s: not by %s', (one, other) => {
    expect(isOpposite(ofLine(one), ofLine(other))).toBe(false)
  })
})

describe('a call that is taken back', () => {
  it.each<[string, unknown, string, unknown]>([
    [
      'edit',
      { path: 'a', old_string: 'x', new_string: 'y' },
      'edit',
      { path: 'a', old_string: 'y', new_string: 'x' },
    ],
    [
      'replace',
      { file_path: 'a', old: 'x', new: 'y' },
      'edit',
      { file_path: 'a', old: 'y', new: 'x' },
    ],
    ['rename', { from: 'a', to: 'b' }, 'rename', { from: 'b', to: 'a' }],
    ['create_file', { path: 'a' }, 'delete_file', { path: 'a' }],
    ['enable_flag', { name: 'dark' }, 'disable_flag', { name: 'dark' }],
    ['browser_check', { id: 'terms' }, 'browser_uncheck', { id: 'terms' }],
  ])('%s %j: %s %j', (one, oneArgs, other, otherArgs) => {
    expect(isOpposite(ofCall(one, oneArgs), ofCall(other, otherArgs))).toBe(true)
  })

  it('is identified by what it is about', () => {
    const one = ofCall('edit', { path: 'a', old_string: 'x', new_string: 'y' })
    expect(isOpposite(one, ofCall('edit', { path: 'b', old_string: 'y', new_string: 'x' }))).toBe(
      false,
    )
    expect(isOpposite(one, ofCall('edit', { path: 'a', old_string: 'y', new_string: 'z' }))).toBe(
      false,
    )
    const made = ofCall('create_file', { path: 'a' })
    expect(isOpposite(made, ofCall('delete_file', { path: 'b' }))).toBe(false)
  })

  it('may be whatever was done last', () => {
    expect(ofCall('undo_edit', { path: 'a' }).undoes).toBe(LAST)
    expect(ofCall('editor', { action: 'undo' }).undoes).toBe(LAST)
  })

  it('is unknown if nothing shows it', () => {
    for (const args of [undefined, null, 7, 'a', [], {}, { path: 7 }]) {
      expect(ofCall('create_file', args)).toEqual({ does: 0, undoes: 0 })
    }
    expect(ofCall('frobnicate', { path: 'a' })).toEqual({ does: 0, undoes: 0 })
    expect(ofLine('')).toEqual({ does: 0, undoes: 0 })
  })
})
