import { redact } from 'unloop/redact'
import * as vscode from 'vscode'
import type { Controller } from '../controller.js'
import type { Found, WatchedLoop } from '../found.js'
import { hookCommandFor, hookNameOf } from '../hooked-agents.js'
import type { WatchList } from '../watch-list.js'
import { showInChat } from './commands.js'
import { prepareCommand, say } from './say.js'
import type { createTranscripts } from './show-found.js'

export interface LoopCommandParts {
  controller: Controller
  list: WatchList
  transcripts: ReturnType<typeof createTranscripts>
}

/** What can be done about a loop, or a session, in the view "Loops" and in messages, by name. */
export function loopCommands({ controller, list, transcripts }: LoopCommandParts) {
  return {
    'unloop.showFound': ({ found }: Row) =>
      found.place.type === 'chat'
        ? showInChat(controller, found.place.index)
        : transcripts.show(toWatched(found)),
    'unloop.showRaw': ({ found }: Row) => transcripts.showRaw(toWatched(found)),
    'unloop.readAdvice': ({ found }: Row) => readAdvice(found),
    'unloop.copyAdvice': ({ found }: Row) => copyAdvice(found),
    'unloop.muteLoop': ({ found }: Row) => list.muteLoop(found),
    'unloop.muteSession': ({ found }: Row) => list.muteSession(found),
    'unloop.unmute': ({ found }: Row) => list.unmute(found),
    'unloop.installHook': ({ found }: Row) => installHook(found),
  } satisfies Record<string, (row: Row) => unknown>
}

/** A row of the tree that is about a loop. */
type Row = { found: Found }

function toWatched(found: Found): WatchedLoop {
  const { place } = found
  if (place.type === 'chat') throw new Error('a loop of the chat has no transcript')
  return { ...found, place }
}

async function readAdvice(found: Found): Promise<void> {
  const { t } = vscode.l10n
  const copy = t('Copy advice')
  const text = t('Advice for the model: {0}', redact(found.finding.advice))
  if ((await say('info', text, copy)) === copy) await copyAdvice(found)
}

async function copyAdvice({ finding }: Found): Promise<void> {
  await vscode.env.clipboard.writeText(redact(finding.advice))
  say('info', vscode.l10n.t('The advice is in the clipboard. Paste it to the agent.'))
}

/** Writes the command into a terminal; it runs when the person presses Enter there. */
async function installHook({ place }: Found): Promise<void> {
  const { t } = vscode.l10n
  const name = place.type === 'transcript' ? hookNameOf(place.program) : undefined
  if (!name) return void say('info', t('unloop has no hook for this agent.'))
  prepareCommand(t('unloop hook'), hookCommandFor(name))
  say('info', t('Press Enter in the terminal. You see every change before it is made.'))
}
