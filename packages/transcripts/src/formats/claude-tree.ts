import { brief } from '../brief.js'
import { type Json, objectOf, textOf } from '../json.js'
import { createRecent } from '../recent.js'

/** What the place of a line in the tree tells. */
export interface Place {
  /** the sub-agent on whose chain it stands */
  agent: string | undefined
  /** it answers what was answered before: in this turn, or further back */
  rewound: 'turn' | 'further' | undefined
}

/** Follows the tree of lines in one pass, remembering only the last of them. */
export interface Tree {
  /** The place of the next line; undefined if the line was there before. */
  add(line: Json): Place | undefined
}

interface Node {
  agent: string | undefined
  isAnswer: boolean
  /** the message that answered it */
  answer: string | undefined
}

// a rewind reaches further back than this only at a prompt, which needs no tree to be understood
const REMEMBERED = 4096

export function createTree(): Tree {
  const nodes = createRecent<Node>(REMEMBERED)
  let sideChains = 0
  /** the last line that was answered, by agent */
  const lastAnswered = createRecent<string>(64)

  function agentOf(line: Json, parent: Node | undefined): string | undefined {
    if (line.isSidechain !== true) return
    return nameOf(line.agentId) ?? parent?.agent ?? `side-${++sideChains}`
  }

  function rewoundBy(line: Json, parentId: string, parent: Node | undefined): Place['rewound'] {
    const { id, model } = objectOf(line.message)
    const answer = nameOf(id)
    if (!answer || !parent || parent.isAnswer || model === '<synthetic>') return
    const before = parent.answer
    const inTurn = lastAnswered.get(parent.agent ?? '') === brief(parentId)
    parent.answer = answer
    lastAnswered.set(parent.agent ?? '', brief(parentId))
    if (before === undefined || before === answer) return
    return inTurn ? 'turn' : 'further'
  }

  return {
    add(line) {
      const uuid = textOf(line.uuid)
      if (uuid === undefined) return { agent: agentOf(line, undefined), rewound: undefined }
      if (nodes.get(uuid)) return
      const parentId = textOf(line.parentUuid) ?? ''
      const parent = parentId === '' ? undefined : nodes.get(parentId)
      const agent = agentOf(line, parent)
      const isAnswer = line.type === 'assistant'
      nodes.set(uuid, { agent, isAnswer, answer: undefined })
      return { agent, rewound: isAnswer ? rewoundBy(line, parentId, parent) : undefined }
    },
  }
}

/** A name that may be remembered. */
function nameOf(value: unknown): string | undefined {
  const name = textOf(value)
  return name && brief(name)
}
