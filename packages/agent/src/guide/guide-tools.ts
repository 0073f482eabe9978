import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { topics } from './topics.js'

// short enough that a longer topic has several pages
const PAGE = 6

/** Tools that read the guide of unloop, which comes with the package. */
export const createGuideTools = (): Tool[] => [listTopics, readTopic, searchGuide]

const listTopics = defineTool({
  name: 'list_topics',
  description: 'Lists the topics of the guide to unloop.',
  parameters: z.object({}),
  effect: 'reads',
  execute: () =>
    Object.entries(topics)
      .map(([topic, lines]) => `${topic} (${lines.length} lines)`)
      .join('\n'),
})

const readTopic = defineTool({
  name: 'read_topic',
  description: `Reads a topic of the guide, at most ${PAGE} lines at a time.`,
  parameters: z.object({
    topic: z.string(),
    from: z.number().int().min(1).default(1).describe('the first line to read'),
    count: z.number().int().min(1).max(PAGE).default(PAGE).describe('how many lines to read'),
  }),
  effect: 'reads',
  execute({ topic, from, count }) {
    const lines = topics[topic]
    if (!lines) throw new Error(`no such topic: ${topic}; list_topics lists them`)
    const page = lines.slice(from - 1, from - 1 + count)
    if (page.length === 0)
      throw new Error(`${topic} has ${lines.length} lines, and no line ${from}`)
    return page.join('\n')
  },
})

const searchGuide = defineTool({
  name: 'search_guide',
  description: 'Finds the lines of the guide with a word in them.',
  parameters: z.object({ query: z.string().min(1) }),
  effect: 'reads',
  execute({ query }) {
    const found = linesWith(query)
    return found.length > 0 ? found.join('\n') : 'Nothing found.'
  },
})

function linesWith(query: string): string[] {
  const wanted = query.toLowerCase()
  return Object.entries(topics).flatMap(([topic, lines]) =>
    lines.filter((line) => line.toLowerCase().includes(wanted)).map((line) => `${topic}: ${line}`),
  )
}
