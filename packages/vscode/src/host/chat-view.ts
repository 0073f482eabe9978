import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { FromView, ToView } from '../protocol.js'
import { chatHtml } from './chat-html.js'

/** The chat in the side bar. */
export interface ChatView extends vscode.WebviewViewProvider {
  post(message: ToView): void
  setBadge(count: number, tooltip: string): void
  isVisible(): boolean
}

export const CHAT_VIEW = 'unloop.chat'

/** A provider for the view; what the view says goes to `receive`. */
export function createChatView(
  extensionUri: vscode.Uri,
  receive: (message: FromView) => void,
): ChatView {
  let view: vscode.WebviewView | undefined
  let badge: vscode.ViewBadge = { value: 0, tooltip: '' }
  return {
    resolveWebviewView(resolved) {
      view = resolved
      const { webview } = resolved
      const dist = vscode.Uri.joinPath(extensionUri, 'dist')
      const toUri = (name: string) =>
        webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString()
      webview.options = { enableScripts: true, localResourceRoots: [dist] }
      webview.onDidReceiveMessage(receive)
      webview.html = chatHtml({
        cspSource: webview.cspSource,
        nonce: randomBytes(16).toString('hex'),
        scriptUri: toUri('view.js'),
        styleUri: toUri('view.css'),
        language: vscode.env.language,
      })
      resolved.badge = badge
      resolved.onDidDispose(() => {
        view = undefined
      })
    },
    post(message) {
      view?.webview.postMessage(message)
    },
    isVisible: () => view?.visible === true,
    setBadge(value, tooltip) {
      // a badge of nothing is not shown; taking it away would leave the old one there
      badge = { value, tooltip: value === 0 ? '' : tooltip }
      if (view) view.badge = badge
    },
  }
}
