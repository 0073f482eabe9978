import { openMention, toMention } from '../attach/mention.js'
import type { Editor } from '../editor.js'
import type { Completion } from '../state.js'
import { argumentsOf, type Choices, commandOptions } from './commands.js'
import { createFileIndex } from './file-index.js'
import { rank } from './rank.js'

/** Finds what the word at the cursor may become. */
export interface Completer {
  /** `onMore` is called when there may be more to find. */
  complete(editor: Editor, onMore: () => void): Completion | undefined
}

// what fits on a screen above the prompt
const SHOWN = 8

/** Completes slash commands with their arguments, and paths after an `@`. */
export function createCompleter(folder: string, choices: Choices): Completer {
  const files = createFileIndex(folder)

  function commands({ text, cursor }: Editor): Completion | undefined {
    const [, name, argument] = /^\/([a-z]*)(?:[ ]+(\S*))?$/.exec(text.slice(0, cursor)) ?? []
    if (name === undefined || cursor < text.length) return
    if (argument === undefined) return found(commandOptions(name), 0, 0)
    // a line that is complete as it is should be sent by Enter
    return found(argumentsOf(name, argument, choices), cursor - argument.length, -1)
  }

  function paths({ text, cursor }: Editor, onMore: () => void): Completion | undefined {
    const mention = openMention(text.slice(0, cursor))
    if (mention === undefined) return
    const options = rank(files.list(onMore), mention.path, SHOWN).map((path) => ({
      text: toMention(path) ?? '',
      note: '',
    }))
    return found(options, mention.from, 0)
  }

  return { complete: (editor, onMore) => commands(editor) ?? paths(editor, onMore) }
}

const found = (
  options: readonly { text: string; note: string }[],
  from: number,
  selected: number,
): Completion | undefined =>
  options.length === 0 ? undefined : { options: options.slice(0, SHOWN), selected, from }

/** The text with an option in its place, and whether there is more to write after it. */
export function accept(editor: Editor, { options, selected, from }: Completion): Editor {
  const text = options[Math.max(0, selected)]?.text ?? ''
  const isOpen = text.endsWith('/')
  const added = isOpen ? text : `${text} `
  return {
    text: editor.text.slice(0, from) + added + editor.text.slice(editor.cursor),
    cursor: from + added.length,
  }
}
