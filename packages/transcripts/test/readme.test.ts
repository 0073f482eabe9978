import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as transcripts from '../src/index.js'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

describe('the pages', () => {
  it('name all that is public', () => {
    const readme = read('../README.md')
    expect(Object.keys(transcripts).filter((name) => !readme.includes(`\`${name}`))).toEqual([])
  })

  it('name every format', () => {
    const index = read('../../../docs/transcripts/index.md')
    const names = transcripts.formats.map(({ name }) => name)
    expect(names.filter((name) => !index.includes(`\`${name}\``))).toEqual([])
  })
})
