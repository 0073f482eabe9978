import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startProvider } from '@unloop/testing'
import { expect, onTestFinished } from 'vitest'
import { root } from './terminal.js'
import { toSvg, wordsOf } from './terminal-svg.js'
import { ASKED, READY, test } from './test.js'

const pictureOf = (name: string) => join(root, 'docs/pictures', name)
const STUCK =
  'A chat in a terminal. The agent has called list_topics four times; a dialog says so and offers six choices.'
const ANSWER =
  'A chat in a terminal. The answer has a list, a table and code in colours; below it the commands are completed.'
const TEXT = `The check in \`src/login.ts\` lets **empty names** pass:

1. trim the name
2. refuse what is empty

\`\`\`ts
export const isNamed = (name: string) => name.trim() !== '' // not only spaces
\`\`\`

| file | lines |
| --- | ---: |
| src/login.ts | 24 |
| src/session.ts | 108 |
`

test('the picture in the README shows the dialog as it is; npm run picture draws it', async ({
  start,
}) => {
  const terminal = await start({ columns: 88, rows: 60 })
  await terminal.until(READY)
  await terminal.send('/stuck repeated-call')
  await terminal.until(ASKED)
  const screen = await terminal.screen({ colours: true, visible: true })
  const prompt = screen.indexOf('> /stuck')
  compare('dialog.svg', toSvg(screen.slice(screen.lastIndexOf('\n', prompt) + 1), STUCK))
})

test('the picture in docs/chat.md shows an answer as it is', async ({ start }) => {
  const provider = await startProvider(() => ({ text: TEXT }))
  onTestFinished(() => provider.close())
  const args = ['--model', 'compatible/qwen3', '--base-url', `${provider.url}/v1`]
  const env = { OPENAI_COMPATIBLE_API_KEY: 'none' }
  const terminal = await start({ columns: 88, rows: 60, args, env })
  await terminal.until(READY)
  await terminal.send('What is wrong with the login?')
  await terminal.until(/session\.ts +108(.|\n)*\/help/)
  await terminal.type('/c')
  await terminal.until(/\/compact(.|\n)*Tab takes it/)
  const screen = await terminal.screen({ colours: true, visible: true })
  const prompt = screen.indexOf('> What is wrong')
  compare('answer.svg', toSvg(screen.slice(screen.lastIndexOf('\n', prompt) + 1), ANSWER))
})

/** Holds a picture against the one in the docs, or draws that. */
function compare(name: string, svg: string): void {
  const picture = pictureOf(name)
  if (process.env.UNLOOP_PICTURES) {
    mkdirSync(dirname(picture), { recursive: true })
    writeFileSync(picture, svg)
  }
  expect(timeless(svg)).toBe(timeless(readFileSync(picture, 'utf8')))
}

/** How long ago it was depends on the machine. */
const timeless = (svg: string) => wordsOf(svg).replace(/since turn 1, .* ago/, 'since turn 1')
