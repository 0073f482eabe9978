import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, it } from 'vitest'
import { damageWith, expectBalanced, guardAll, runs, seed } from './damage.js'
import { fixture, inFolder } from './read.js'

/** A transcript that is more than one file, and the paths it can be read by. */
const folders = [
  { name: 'opencode-tree', format: 'opencode-tree', paths: ['', 'session/prj/ses_01.json'] },
  { name: 'openhands', format: 'openhands', paths: ['', 'events'] },
  { name: 'openhands-today', format: 'openhands', paths: ['', 'events'] },
  { name: 'cline', format: 'cline', paths: ['api_conversation_history.json'] },
  {
    name: 'vscode-chat',
    format: 'vscode-chat',
    paths: [
      'workspaceStorage/5d1f0c/chatSessions/88ca1adb-bf72-4478-9982-6886cb99785e.json',
      'workspaceStorage/5d1f0c/chatSessions/3a9ae123-2cbe-4c1d-b5af-3d4cd1f0ad2e.jsonl',
    ],
  },
  {
    name: 'cursor',
    format: 'cursor',
    paths: [
      'projects/home-ada-shop/agent-transcripts/4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01/4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01.jsonl',
      'projects/home-ada-shop/agent-transcripts/77a0e6b2-1d52-4b0c-9f5d-3d8f4c1e2b03.txt',
    ],
  },
  {
    name: 'droid',
    format: 'droid',
    paths: ['7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001.jsonl'],
  },
  { name: 'roo-code', format: 'cline', paths: ['api_conversation_history.json'] },
].map((folder) => {
  const files = readdirSync(fixture(folder.name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return { ...folder, files: files.map((file) => file.slice(fixture(folder.name).length + 1)) }
})
const contents = folders.flatMap(({ name, files }) =>
  files.map((file) => readFileSync(fixture(join(name, file)))),
)

type Damage = (file: string) => void

/** What may have become of a file: other bytes, or something that is no file. */
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { arbitrary: damageWith(contents).map(rewrite), weight: 6 },
  fc.constant<Damage>((file) => rmSync(file)),
  fc.constant<Damage>((file) => writeFileSync(file, '')),
  fc.constant(instead((file) => mkdirSync(file))),
  fc.constant(instead((file) => symlinkSync(file, file))),
  fc.constant(instead((file) => symlinkSync(dirname(file), file))),
  fc.constantFrom('event-0.json', '7.json', 'a.json', '.json', 'ä.json').map(
    (name): Damage =>
      (file) =>
        cpSync(file, join(dirname(file), name)),
  ),
)

function rewrite(change: (bytes: Buffer) => Buffer): Damage {
  return (file) => writeFileSync(file, change(readFileSync(file)))
}

function instead(put: (file: string) => void): Damage {
  return (file) => {
    rmSync(file)
    put(file)
  }
}

/** Damages that come to one place after the other; where nothing is left there is nothing to damage. */
const damages = fc.array(fc.tuple(fc.nat(), damage), { minLength: 1, maxLength: 6 })

function apply(root: string, files: readonly string[], all: [number, Damage][]): void {
  for (const [index, change] of all) {
    try {
      change(join(root, files[index % files.length] as string))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }
}

describe('a damaged folder', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it.each(folders)('of $name is read without a crash, and every file is accounted for', (it) =>
    inFolder(async (folder) => {
      const property = fc.asyncProperty(
        damages,
        fc.constantFrom(...it.paths),
        fc.boolean(),
        async (all, path, isNamed) => {
          const root = join(folder, 'it')
          rmSync(root, { recursive: true, force: true })
          cpSync(fixture(it.name), root, { recursive: true })
          apply(root, it.files, all)
          expectBalanced(await guardAll(join(root, path), isNamed ? it.format : undefined))
        },
      )
      await fc.assert(property, runs(25))
    }),
  )
})
