import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { root } from './terminal.js'
import { toSvg, wordsOf } from './terminal-svg.js'
import { ASKED, READY, test } from './test.js'

const picture = join(root, 'docs/pictures/dialog.svg')
const TITLE =
  'A chat in a terminal. The agent has called list_topics four times; a dialog says so and offers six choices.'

test('the picture in the README shows the dialog as it is; npm run picture draws it', async ({
  start,
}) => {
  const terminal = await start({ columns: 88, rows: 60 })
  await terminal.until(READY)
  await terminal.send('/stuck repeated-call')
  await terminal.until(ASKED)
  const screen = await terminal.screen({ colours: true, visible: true })
  const prompt = screen.indexOf('> /stuck')
  const svg = toSvg(screen.slice(screen.lastIndexOf('\n', prompt) + 1), TITLE)
  if (process.env.UNLOOP_PICTURES) {
    mkdirSync(dirname(picture), { recursive: true })
    writeFileSync(picture, svg)
  }
  expect(timeless(svg)).toBe(timeless(readFileSync(picture, 'utf8')))
})

/** How long ago it was depends on the machine. */
const timeless = (svg: string) => wordsOf(svg).replace(/since turn 1, .* ago/, 'since turn 1')
