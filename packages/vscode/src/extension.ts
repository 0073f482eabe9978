import { join } from 'node:path'
import type { ChoiceName, ChoiceWords } from 'unloop/words'
import * as vscode from 'vscode'
import { isLikely } from './chat/loop-words.js'
import { type Controller, createController } from './controller.js'
import { createDeltaBuffer } from './delta-buffer.js'
import { foundInChat, sessionKeyOf } from './found.js'
import { CHAT_VIEW, createChatView } from './host/chat-view.js'
import { commands, showInChat } from './host/commands.js'
import { existingFiles, insertText, openFile } from './host/editor.js'
import { editorContext } from './host/editor-context.js'
import { openFolders } from './host/folders.js'
import { createKeys } from './host/keys.js'
import { loopCommands } from './host/loop-commands.js'
import { createLoopsTree, LOOPS_VIEW } from './host/loops-tree.js'
import { ask, say } from './host/say.js'
import { settingOf } from './host/settings-source.js'
import { createTranscripts } from './host/show-found.js'
import { createStatusBar } from './host/status-bar.js'
import { createWatch } from './host/watch.js'
import { createChatStore } from './store.js'

let controller: Controller | undefined

// six buttons are cut off in the width of a message
const IN_MESSAGE: readonly ChoiceName[] = ['stop', 'continue-once', 'allow']

/** Registers everything; what is big is loaded when it is used. */
export function activate(context: vscode.ExtensionContext): void {
  const { t } = vscode.l10n
  const log = vscode.window.createOutputChannel('unloop', { log: true })
  const statusBar = createStatusBar()
  const keys = createKeys(context.secrets)
  const tree = createLoopsTree({
    found: () => [...watch.list.found, ...foundInChat(controller?.items ?? [])],
    isMuted: (found) => watch.list.isMuted(found),
    watched() {
      const label = watch.describe()
      return label === '' ? undefined : { label, watched: watch.list.watched }
    },
  })
  const loops = vscode.window.createTreeView(LOOPS_VIEW, { treeDataProvider: tree })
  const transcripts = createTranscripts()
  const report = (error: unknown) => {
    log.error(error instanceof Error ? error : String(error))
    say('error', String(error))
  }
  const view = createChatView(context.extensionUri, (message) =>
    controller?.receive(message).catch(report),
  )
  const watch = createWatch({
    log,
    onChange() {
      if (loops.visible) watch.list.see()
      const { unseen } = watch.list
      loops.badge = { value: unseen, tooltip: t('{0} stuck', unseen) }
      tree.refresh()
      controller?.tellStatus()
    },
    act: (command, found) => vscode.commands.executeCommand(command, { found }),
  })
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath

  const own = createController({
    t,
    log,
    post: createDeltaBuffer(view.post),
    showLoop,
    showQuestion(text, index) {
      if (!view.isVisible()) showQuestion(text, () => showInChat(own, index)).catch(report)
    },
    isChatVisible: view.isVisible,
    askHint: () => ask(t('Send a hint'), t('What should the model know?')),
    showProblem: (text) => showProblem(text),
    act: (action) =>
      vscode.commands.executeCommand(
        action === 'set-key' ? 'unloop.setApiKey' : 'unloop.openSettings',
      ),
    existingFiles,
    openFile,
    copy: async (text) => vscode.env.clipboard.writeText(text),
    insert: insertText,
    pickModel: async () => vscode.commands.executeCommand('unloop.pickModel'),
    setting: settingOf,
    context: editorContext,
    engine: () => import('./engine.js'),
    openOptions: () => ({ folders: trustedFolders(), env: process.env, lm: vscode }),
    keyOf: keys.keyOf,
    store: createChatStore(join(storage, 'chats')),
    onStatus(status) {
      const heard = watch.list.found.filter((found) => !watch.list.isMuted(found))
      const stuck = new Set(heard.filter(({ finding }) => !isLikely(finding)).map(sessionKeyOf))
      const struggling = new Set(heard.map(sessionKeyOf)).size - stuck.size
      statusBar.show(status, {
        ...{ loops: stuck.size, struggles: struggling },
        ...{ fault: watch.fault, watching: watch.describe() },
      })
      view.setBadge(
        (status.isStopped ? 1 : 0) + status.questions,
        status.isStopped
          ? t('The agent is stuck and is waiting for your decision.')
          : t('A tool needs your permission.'),
      )
      vscode.commands.executeCommand('setContext', 'unloop.isBusy', status.isBusy)
      vscode.commands.executeCommand('setContext', 'unloop.isStopped', status.isStopped)
    },
    onFindings: tree.refresh,
    now: Date.now,
  })
  controller = own
  own.tellStatus()
  watch.update()

  function readAgain() {
    own.settingsChanged().catch(report)
    watch.update()
  }
  const all = {
    ...commands({ controller: own, log, watch, askKey: keys.ask, keyOf: keys.keyOf }),
    ...loopCommands({ controller: own, list: watch.list, transcripts }),
  }
  context.subscriptions.push(
    log,
    statusBar,
    watch,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, view),
    loops,
    transcripts,
    loops.onDidChangeVisibility(() => {
      if (loops.visible) watch.list.see()
    }),
    vscode.window.onDidChangeActiveTextEditor(own.contextChanged),
    vscode.window.onDidChangeTextEditorSelection(own.contextChanged),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('unloop')) readAgain()
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(readAgain),
    context.secrets.onDidChange(() => own.settingsChanged().catch(report)),
    vscode.workspace.onDidGrantWorkspaceTrust(readAgain),
    ...Object.entries(all).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  )
}

export function deactivate(): void {
  controller?.dispose()
}

/** Asks in a message; it has room for the choices that are made most, and a way to all of them. */
async function showLoop(text: string, choices: ChoiceWords[]) {
  const shown = choices.filter(({ name }) => IN_MESSAGE.includes(name))
  const more = vscode.l10n.t('More…')
  const picked = await say('error', text, ...shown.map(({ short }) => short), more)
  if (picked === more) await vscode.commands.executeCommand('unloop.decide')
  return shown.find(({ short }) => short === picked)?.name
}

async function showProblem(text: string): Promise<void> {
  const open = vscode.l10n.t('Open settings')
  const picked = await say('warning', text, open)
  if (picked === open) await vscode.commands.executeCommand('unloop.openSettings')
}

async function showQuestion(text: string, show: () => Promise<void>): Promise<void> {
  const open = vscode.l10n.t('Show')
  if ((await say('warning', text, open)) === open) await show()
}

/** The folders the tools may look into: none unless the person trusts them. */
const trustedFolders = () => (vscode.workspace.isTrusted ? openFolders() : [])
