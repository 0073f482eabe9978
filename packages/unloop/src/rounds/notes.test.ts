import { describe, expect, it } from 'vitest'
import { isNote } from './notes.js'

const isNoteOf = (name: string, args: unknown = {}) => isNote(name, args, undefined)
const isNoteIn = (command: string) => isNote('bash', { command }, command)

describe('what an agent writes for itself', () => {
  it.each([
    'todo_write',
    'TodoWrite',
    'write_todos',
    'updateTodoList',
    'update_plan',
    'save_memory',
    'take_note',
  ])('may be told by the tool: %s', (name) => expect(isNoteOf(name)).toBe(true))

  it.each(['plant_tree', 'notebook_edit', 'notify', 'planet_create', 'explain'])(
    'is not: %s',
    (name) => expect(isNoteOf(name)).toBe(false),
  )

  it.each([
    'notes.md',
    'docs/PLAN.md',
    '/app/progress.md',
    'notes_3.txt',
    'C:\\app\\TODO.txt',
    'next_steps.md',
  ])('may be told by the file: %s', (path) => {
    expect(isNoteOf('write_file', { path })).toBe(true)
    expect(isNoteOf('edit', { file_path: path })).toBe(true)
  })

  it.each([
    'README.md',
    'CHANGELOG.md',
    'src/plan.ts',
    'src/notes/index.html',
    'docs/planning-guide/a.md',
  ])('is not: %s', (path) => expect(isNoteOf('write_file', { path })).toBe(false))

  it.each([
    'echo "try it" >> notes.md',
    "cat > plan.md <<'E'\nfirst\nE",
    'git commit --allow-empty -m x',
  ])('may be told by the command: %s', (line) => expect(isNoteIn(line)).toBe(true))

  it.each(['echo x > src/a.ts', 'git commit -m "notes.md"', 'cp notes.md src/', 'npm install'])(
    'is not: %s',
    (line) => expect(isNoteIn(line)).toBe(false),
  )

  it('is read from arguments of any shape', () => {
    for (const args of [undefined, null, 7, [], { path: 7 }, { path: null }]) {
      expect(isNoteOf('write_file', args)).toBe(false)
    }
  })
})
