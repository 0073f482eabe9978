// `npm run bench:chat`: how long the chat takes to start, to resume a long conversation, to draw it for another width, and
// to draw a long answer, in a terminal of its own (Linux).
import { readFileSync } from 'node:fs'
import { saveConversation } from './chat/conversation.js'
import { startAnswering } from './chat/provider.js'
import { openTerminal, type Terminal } from './chat/terminal.js'
import { atMost, goalRows, isMissed } from './goal.js'
import { paragraph, sentence, thing } from './prose.js'
import { createRandom } from './random.js'
import { textTable } from './table.js'

const ROUNDS = 5
const ENTRIES = 3000
const ANSWER = 1_400_000
// of a clock that `/proc` counts in
const TICKS_PER_SECOND = 100
const PROMPT = /guard \w+[^\n]*\/help/

const start: number[] = []
const resume: number[] = []
const resize: number[] = []
const answer: number[] = []
const text = `${longAnswer(ANSWER)}\n\nThat is the end of it.`
const provider = await startAnswering(text)
try {
  for (let round = 0; round < ROUNDS; round++) {
    console.error(`round ${round + 1} of ${ROUNDS} …`)
    await within(openTerminal([]), async (terminal) => {
      await terminal.until(PROMPT)
      start.push(cpuOf(terminal.pid()))
    })
    await within(openTerminal(['--resume'], saveConversation(ENTRIES)), async (terminal) => {
      resume.push((await terminal.until(PROMPT)) / 1000)
      await terminal.quiet()
      resize.push((await terminal.resize(70, 40)) / 1000)
    })
    const model = ['--model', 'compatible/long', '--base-url', `${provider.url}/v1`]
    await within(openTerminal(model), async (terminal) => {
      await terminal.until(PROMPT)
      terminal.write('Go on.')
      await terminal.until(/Go on\./)
      terminal.write('\r')
      answer.push((await terminal.until(/That is the end of it\./)) / 1000)
    })
  }
} finally {
  await provider.close()
}

const goals = [
  atMost('start to prompt', median(start), 0.8, 's of CPU'),
  atMost(`resume ${ENTRIES} entries, from the start of the process`, median(resume), 1, 's'),
  atMost('draw them for another width', median(resize), 0.3, 's'),
  atMost(`draw an answer of ${ANSWER} characters`, median(answer), 2, 's'),
]
console.log(`Medians of ${ROUNDS} rounds\n\n${textTable(goalRows(goals))}`)
process.exitCode = isMissed(goals) ? 1 : 0

async function within(terminal: Terminal, measure: (terminal: Terminal) => Promise<void>) {
  try {
    await measure(terminal)
  } finally {
    await terminal.close()
  }
}

/** Seconds of CPU that a process has used. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Text as models write it: paragraphs, lists and code. */
function longAnswer(length: number): string {
  const random = createRandom('chat')
  const parts: string[] = []
  for (let size = 0; size < length; size += parts.at(-1)?.length ?? 0) {
    const code = Array.from({ length: random.int(3, 12) }, () => {
      const name = thing(random).replace(' ', '_')
      return `const ${name} = read('${sentence(random)}', ${random.int(1, 9999)})`
    })
    const points = Array.from({ length: random.int(2, 6) }, () => `- ${sentence(random)}`)
    parts.push(
      [paragraph(random), points.join('\n'), `\`\`\`ts\n${code.join('\n')}\n\`\`\``].join('\n\n'),
    )
  }
  return parts.join('\n\n')
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
