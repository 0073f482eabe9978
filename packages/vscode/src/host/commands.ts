import type { GuardMode } from '@unloop/agent'
import * as vscode from 'vscode'
import { loopChoices } from '../chat/loop-words.js'
import type { Controller } from '../controller.js'
import { pickModel } from './pick-model.js'
import { pick, say } from './say.js'
import { type SettingsWriter, settingOf } from './settings-source.js'
import type { Watch } from './watch.js'

export interface CommandParts {
  controller: Controller
  log: vscode.LogOutputChannel
  watch: Watch
  change: SettingsWriter['change']
  askKey(): Promise<void>
  keyOf(provider: string): Promise<string | undefined>
}

/** What can be done from the command palette and the titles of the views, by name. */
export function commands({ controller, log, watch, change, askKey, keyOf }: CommandParts) {
  const { t } = vscode.l10n
  return {
    'unloop.openChat': async () => {
      await vscode.commands.executeCommand('unloop.chat.focus')
      controller.focus()
    },
    'unloop.newChat': async () => {
      await vscode.commands.executeCommand('unloop.chat.focus')
      controller.newChat()
    },
    'unloop.stop': () => controller.stop(),
    'unloop.showLog': () => log.show(),
    'unloop.setApiKey': askKey,
    'unloop.pickModel': () => pickModel(keyOf, change),
    'unloop.clearLoops': () => watch.list.clear(),
    'unloop.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:unloop.unloop-vscode'),

    'unloop.toggleWatch': async () => {
      const isWanted = settingOf('watch.enabled') !== true
      await change('watch.enabled', isWanted)
      await controller.tellStatus()
      await tellWatch(watch, isWanted)
    },

    'unloop.decide': async () => {
      const loop = controller.openLoop
      if (!loop) {
        say('info', t('There is no loop to decide about.'))
        return
      }
      const title = loop.finding.detail
      const choices = loopChoices(loop.finding, t).map((choice) => ({
        ...choice,
        label: `${choice.key}  ${choice.label}`,
        detail: choice.effect,
      }))
      const picked = await pick(choices, { title })
      if (picked) await controller.press(loop.id, picked.name)
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
        description: [
          new Date(chat.changedAt).toLocaleString(),
          ...(chat.isOpenElsewhere ? [t('open in another window')] : []),
        ].join(', '),
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

/** Shows an item of the chat, with the keyboard on it. */
export async function showInChat(controller: Controller, index: number): Promise<void> {
  await vscode.commands.executeCommand('unloop.chat.focus')
  controller.reveal(index)
}

/** Says what came of turning the watching on or off. */
async function tellWatch(watch: Watch, isWanted: boolean): Promise<void> {
  const { t } = vscode.l10n
  if (!isWanted) return void say('info', t('The agents of this workspace are no longer watched.'))
  const obstacle = watch.obstacle()
  if (!obstacle) {
    return void say(
      'info',
      t('The agents of this workspace are watched. Loops are listed in the view Loops.'),
    )
  }
  const { text, button, command } = obstacle
  if ((await say('warning', text, button)) === button) await vscode.commands.executeCommand(command)
}
