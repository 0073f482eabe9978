import { redact } from 'unloop/redact'
import type { ChoiceName, ChoiceWords } from 'unloop/words'
import * as vscode from 'vscode'
import { isLikely } from './chat/loop-words.js'
import { chatFolder, formerFolders, moveChats } from './chat-places.js'
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
import { createSettingsWriter, settingOf } from './host/settings-source.js'
import { createTranscripts } from './host/show-found.js'
import { createStatusBar } from './host/status-bar.js'
import { told } from './host/told.js'
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
  const writer = createSettingsWriter()
  const tree = createLoopsTree({
    found: () => [...watch.list.found, ...foundInChat(controller?.items ?? [])],
    isMuted: (found) => watch.list.isMuted(found),
    onShow: (found) => watch.list.show(found),
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
    told,
    isOpen: () => loops.visible,
    act: (command, found) => vscode.commands.executeCommand(command, { found }),
  })
  const chats = chatsOf(context, log)

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
    settingsWritten: writer.written,
    context: editorContext,
    engine: () => import('./engine.js'),
    openOptions: () => ({ folders: trustedFolders(), env: process.env, lm: vscode }),
    keyOf: keys.keyOf,
    store: createChatStore(chats),
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
      return told()
    },
    onFindings: tree.refresh,
    now: Date.now,
  })
  controller = own
  own.tellStatus()
  watch.update()

  function logSettings() {
    const { properties } = context.extension.packageJSON.contributes.configuration
    const names = Object.keys(properties).map((name) => name.slice('unloop.'.length))
    const settings = Object.fromEntries(names.map((name) => [name, settingOf(name)]))
    log.info(`settings: ${redact(JSON.stringify(settings))}`)
  }
  logSettings()
  const looking = setInterval(() => own.check().catch(report), LOOK_MS)

  function readAgain() {
    logSettings()
    own.settingsChanged().catch(report)
    watch.update()
  }
  const all = {
    ...commands({
      ...{ controller: own, log, watch, change: writer.change },
      ...{ askKey: keys.ask, keyOf: keys.keyOf },
    }),
    ...loopCommands({ controller: own, list: watch.list, transcripts }),
  }
  context.subscriptions.push(
    new vscode.Disposable(() => clearInterval(looking)),
    log,
    statusBar,
    watch,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, view),
    loops,
    transcripts,
    loops.onDidChangeVisibility(() => {
      if (loops.visible) watch.list.see()
      else watch.list.show(watch.list.found)
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

export const deactivate = (): Promise<void> | undefined => controller?.dispose()

// a chat that another window asks for, or gives back, changes hands about as fast as one can look
const LOOK_MS = 500

/** Where the chats are, with those of earlier versions. */
function chatsOf(
  { globalStorageUri, storageUri }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace
  const folder = chatFolder(globalStorageUri.fsPath, {
    file: workspaceFile?.toString(),
    folders: workspaceFolders.map(({ uri }) => uri.toString()),
  })
  if (storageUri) {
    const moved = moveChats(formerFolders(storageUri.fsPath), folder, log.warn)
    if (moved > 0) log.info(`${moved} chats of an earlier version are now in ${folder}`)
  }
  return folder
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
