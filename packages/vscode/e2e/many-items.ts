import type { ChatItem } from '../src/chat/item.js'

/** A long chat: questions, answers and calls. */
export const manyItems = (count: number): ChatItem[] =>
  Array.from({ length: Math.ceil(count / 3) }, (_, at): ChatItem[] => [
    { type: 'person', id: `p${at}`, text: `Question ${at}`, context: [] },
    { type: 'answer', text: `Answer ${at} with **bold** words and \`code\`.\n\n- a\n- b` },
    {
      ...{ type: 'call', id: `c${at}`, name: 'read_file', args: 'path: a.ts' },
      ...{ state: 'done', output: 'x' },
    },
  ])
    .flat()
    .slice(0, count)
