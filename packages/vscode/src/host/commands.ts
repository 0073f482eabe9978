import type { GuardMode } from '@unloop/agent'
import * as vscode from 'vscode'
import { type LoopButton, loopButtons } from '../chat/loop-words.js'
import type { Controller } from '../controller.js'
import type { Found } from '../found.js'
import { pick, say } from './say.js'
import { setForPerson, settingOf } from './settings-source.js'

export interface CommandParts {
  controller: Controller
  log: vscode.LogOutputChannel
  askKey(): Promise<void>
  clearLoops(): void
}

/** What can be done from the command palette and the menus, by name. */
export function commands({ controller, log, askKey, clearLoops }: CommandParts) {
  const { t } = vscode.l10n
  return {
    'unloop.openChat': async () => {
      await vscode.commands.executeCommand('unloop.chat.focus')
      controller.focus()
    },
    'unloop.newChat': () => controller.newChat(),
    'unloop.stop': () => controller.stop(),
    'unloop.showLog': () => log.show(),
    'unloop.setApiKey': askKey,
    'unloop.clearLoops': clearLoops,
    'unloop.showFound': (found: Found) => showFound(found, controller),
    'unloop.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:unloop.unloop-vscode'),
    'unloop.toggleWatch': () => setForPerson('watch.enabled', !settingOf('watch.enabled')),

    'unloop.decide': async () => {
      const loop = controller.openLoop
      if (!loop) {
        say('info', t('There is no loop to decide about.'))
        return
      }
      const title = loop.finding.detail
      const picked = await pick(loopButtons(loop.finding, t), { title })
      if (picked) await controller.press(loop.id, picked.id satisfies LoopButton)
    },

    'unloop.setGuardMode': async () => {
      const modes: { label: string; mode: GuardMode }[] = [
        { label: t('Enforce: loops are stopped'), mode: 'enforce' },
        { label: t('Observe: loops are only listed'), mode: 'observe' },
        { label: t('Off: loops are not looked for'), mode: 'off' },
      ]
      const title = t('Mode of the guard in this chat')
      const picked = await pick(modes, { title })
      if (picked) await controller.setGuardMode(picked.mode)
    },

    'unloop.openEarlierChat': async () => {
      const chats = controller.earlierChats().map((chat) => ({
        label: titleOf(chat.items) ?? t('(empty chat)'),
        description: new Date(chat.changedAt).toLocaleString(),
        chat,
      }))
      if (chats.length === 0) {
        say('info', t('There are no earlier chats in this workspace.'))
        return
      }
      const picked = await pick(chats, { title: t('Earlier chats') })
      if (picked) controller.openChat(picked.chat)
    },
  } satisfies Record<string, (...args: never[]) => unknown>
}

function titleOf(items: Controller['items']): string | undefined {
  const first = items.find((item) => item.type === 'person')
  return first?.type === 'person' ? first.text : undefined
}

/** Shows a loop where it is: in the chat, or in the transcript with its lines selected. */
export async function showFound({ place }: Found, controller: Controller): Promise<void> {
  if (place.type === 'chat') {
    await vscode.commands.executeCommand('unloop.chat.focus')
    controller.reveal(place.index)
    return
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.path))
  const first = new vscode.Position(place.since - 1, 0)
  const last = document.lineAt(Math.min(place.line, document.lineCount) - 1).range.end
  // from where it began to where it was seen, with the cursor at its beginning
  const editor = await vscode.window.showTextDocument(document, { preview: true })
  editor.selection = new vscode.Selection(last, first)
  editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.AtTop)
}
