import { join } from 'node:path'
import * as vscode from 'vscode'
import { isLikely, type LoopChoice } from './chat/loop-words.js'
import { type Controller, createController } from './controller.js'
import { foundInChat } from './found.js'
import { CHAT_VIEW, createChatView } from './host/chat-view.js'
import { commands, showFound } from './host/commands.js'
import { editorContext } from './host/editor-context.js'
import { createKeys } from './host/keys.js'
import { createLoopsTree, LOOPS_VIEW } from './host/loops-tree.js'
import { ask, say } from './host/say.js'
import { settingOf } from './host/settings-source.js'
import { createStatusBar } from './host/status-bar.js'
import { createWatch } from './host/watch.js'
import { createChatStore } from './store.js'

let controller: Controller | undefined

/** Registers everything; what is big is loaded when it is used. */
export function activate(context: vscode.ExtensionContext): void {
  const { t } = vscode.l10n
  const log = vscode.window.createOutputChannel('unloop', { log: true })
  const statusBar = createStatusBar()
  const keys = createKeys(context.secrets)
  const tree = createLoopsTree(() => [...watch.found, ...foundInChat(controller?.items ?? [])])
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
      tree.refresh()
      controller?.tellStatus()
    },
    show: (found) => showFound(found, own),
  })
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath

  const own = createController({
    t,
    log,
    post: view.post,
    showLoop,
    askHint: () => ask(t('Send a hint'), t('What should the model know?')),
    showProblem: (text) => showProblem(text),
    act: (action) =>
      vscode.commands.executeCommand(
        action === 'set-key' ? 'unloop.setApiKey' : 'unloop.openSettings',
      ),
    setting: settingOf,
    context: editorContext,
    engine: () => import('./engine.js'),
    openOptions: () => ({ folder: trustedFolder(), env: process.env }),
    keyOf: keys.keyOf,
    store: createChatStore(join(storage, 'chats')),
    onStatus(status) {
      const struggles = watch.found.filter(({ finding }) => isLikely(finding)).length
      const loops = watch.found.length - struggles
      statusBar.show(status, { loops, struggles, fault: watch.fault })
      view.setBadge(
        status.isStopped ? 1 : 0,
        t('The agent is stuck and is waiting for your decision.'),
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
  const parts = { controller: own, log, askKey: keys.ask, clearLoops: watch.clear }
  context.subscriptions.push(
    log,
    statusBar,
    watch,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, view),
    vscode.window.registerTreeDataProvider(LOOPS_VIEW, tree),
    vscode.window.onDidChangeActiveTextEditor(own.contextChanged),
    vscode.window.onDidChangeTextEditorSelection(own.contextChanged),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('unloop')) readAgain()
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(watch.update),
    vscode.workspace.onDidGrantWorkspaceTrust(readAgain),
    ...Object.entries(commands(parts)).map(([name, run]) =>
      vscode.commands.registerCommand(name, run),
    ),
  )
}

export function deactivate(): void {
  controller?.dispose()
}

async function showLoop(text: string, buttons: LoopChoice[]) {
  const picked = await say('error', text, ...buttons.map(({ short }) => short))
  return buttons.find(({ short }) => short === picked)?.id
}

async function showProblem(text: string): Promise<void> {
  const open = vscode.l10n.t('Open settings')
  const picked = await say('warning', text, open)
  if (picked === open) await vscode.commands.executeCommand('unloop.openSettings')
}

/** The folder the tools may look into: none unless the person trusts it. */
function trustedFolder(): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')
  return vscode.workspace.isTrusted ? folder?.uri.fsPath : undefined
}
