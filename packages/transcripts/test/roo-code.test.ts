import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTranscripts } from '../src/index.js'
import { writeOpencode } from './databases.js'
import { fixture, inFolder, readAll } from './read.js'
import { nothing, rounded, tallyOf } from './tally.js'

const HISTORY = 'api_conversation_history.json'
const root = fixture('roo-code')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))

describe('a task of Roo Code', () => {
  it('has costs at its beginning where no message is left', () =>
    inFolder(async (folder) => {
      cpSync(root, folder, { recursive: true })
      writeFileSync(join(folder, HISTORY), '[]')
      const { items } = await readAll(join(folder, HISTORY), { format: 'cline' })
      expect(items.length).toBeGreaterThan(0)
      expect(items.map(({ line }) => line)).toEqual(items.map(() => 1))
    }))

  it('adds up to what a plain count finds', async () => {
    const expected = nothing()
    for (const { role, content } of read(HISTORY)) {
      if (role === 'assistant') expected.turns++
      for (const block of content) {
        if (block.type === 'tool_use') expected.calls++
        if (block.type === 'tool_result') expected.results++
        if (block.is_error) expected.errors++
        if (block.text?.includes('<user_message>')) expected.prompts++
      }
    }
    for (const { say, text } of read('ui_messages.json')) {
      if (say !== 'api_req_started') continue
      const told = JSON.parse(text)
      expected.input += told.tokensIn + told.cacheReads + told.cacheWrites
      expected.cached += told.cacheReads
      expected.written += told.cacheWrites
      expected.output += told.tokensOut
      expected.cost += told.cost
    }
    const { items, summary } = await readAll(join(root, HISTORY))
    expect(summary).toMatchObject({ format: 'cline', bad: 0, runs: 1 })
    expect(tallyOf(items)).toEqual(rounded(expected))
    const item = read('history_item.json')
    expect(expected.cost).toBeCloseTo(item.totalCost)
    expect(items[0]?.run).toMatchObject({
      ...{ program: 'roo-code', session: 'roo-code', agent: 'roo-code', parent: 'task-1' },
      ...{ project: item.workspace, model: 'anthropic/claude-sonnet-5' },
      outcome: { kind: 'finished', status: 'completion_result' },
    })
  })

  it('is told from one of Cline by what it says of its modes', () =>
    inFolder(async (folder) => {
      cpSync(join(root, HISTORY), join(folder, 'saved.json'))
      const { items } = await readAll(join(folder, 'saved.json'))
      expect(items[0]?.run).toMatchObject({ program: 'roo-code', project: '/home/ada/shop' })
      const { items: other } = await readAll(fixture(`cline/${HISTORY}`))
      expect(other[0]?.run.program).toBe('cline')
    }))

  it('has its project in the list of tasks, if it is one of Cline', () =>
    inFolder(async (folder) => {
      const task = join(folder, 'tasks/1793800000000')
      cpSync(fixture('cline'), task, { recursive: true })
      mkdirSync(join(folder, 'state'))
      const tasks = [
        { id: '1', cwdOnTaskInitialization: '/home/ada/other' },
        { id: '1793800000000', cwdOnTaskInitialization: '/home/ada/shop' },
      ]
      writeFileSync(join(folder, 'state/taskHistory.json'), JSON.stringify(tasks))
      const { items } = await readAll(join(task, HISTORY))
      expect(items[0]?.run.project).toBe('/home/ada/shop')
    }))

  it('is called by the place it is in', () =>
    inFolder(async (home) => {
      const storage = '.config/Code/User/globalStorage'
      const places = {
        [`${storage}/saoudrizwan.claude-dev/tasks/1/${HISTORY}`]: 'cline',
        [`${storage}/rooveterinaryinc.roo-cline/tasks/2/${HISTORY}`]: 'roo-code',
        [`${storage}/kilocode.kilo-code/tasks/3/${HISTORY}`]: 'kilo-code',
        [`.kilocode/cli/global/tasks/4/${HISTORY}`]: 'kilo-code',
        '.local/share/kilo/kilo.db': 'kilo-code',
      }
      for (const path of Object.keys(places)) {
        mkdirSync(join(home, path, '..'), { recursive: true })
        if (path.endsWith('.db')) writeOpencode(join(home, path))
        else cpSync(fixture(`cline/${HISTORY}`), join(home, path))
      }
      const found: Record<string, string> = {}
      for await (const { path, program } of findTranscripts({ env: {}, platform: 'linux', home })) {
        found[relative(home, path)] = program
        const { items } = await readAll(path)
        expect(items[0]?.run.program).toBe(program)
      }
      expect(found).toEqual(places)
    }))
})
