import { basename } from 'node:path'
import { redact } from 'unloop/redact'
import * as vscode from 'vscode'
import type { TranscriptPlace, WatchedLoop } from '../found.js'
import { hasLines, readLinesAround } from '../raw-lines.js'
import type { ShownDocument } from '../transcript-document.js'
import { say } from './say.js'

const SCHEME = 'unloop-transcript'

/** Shows transcripts as documents that exist in the editor only, and cannot be changed. */
export function createTranscripts(): vscode.Disposable & {
  /** Shows the session for people to read, at the loop. */
  show(loop: WatchedLoop): Promise<void>
  /** Shows lines of the file as they are, but for secrets. */
  showRaw(loop: WatchedLoop): Promise<void>
} {
  const texts = new Map<string, string>()
  const changed = new vscode.EventEmitter<vscode.Uri>()
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  })
  const closed = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    texts.delete(uri.toString())
  })

  async function open(name: string, place: TranscriptPlace, shown: ShownDocument) {
    // the path tells two sessions of one name apart
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: place.path })
    texts.set(uri.toString(), shown.text)
    changed.fire(uri)
    await reveal(await vscode.workspace.openTextDocument(uri), shown)
  }

  return {
    async show(loop) {
      const { place } = loop
      const { toDocument } = await import('../watcher.js')
      const name = `${place.title} ${place.session.slice(0, 8)}`.trim().replaceAll('/', '-')
      await open(`${name}.md`, place, await toDocument(loop))
    },
    async showRaw({ place }) {
      const { path, since, line } = place
      if (!(await hasLines(path))) {
        await say(
          'info',
          vscode.l10n.t('This session is not a file of lines. Use "Show transcript".'),
        )
        return
      }
      const { text, line: first } = await readLinesAround(path, since, line)
      await open(basename(path), place, { text: redact(text), first, last: first + line - since })
    },
    dispose() {
      provider.dispose()
      closed.dispose()
      changed.dispose()
    },
  }
}

/** Selects from where it began to where it was seen, with the cursor at its beginning. */
async function reveal(
  document: vscode.TextDocument,
  { first, last }: Pick<ShownDocument, 'first' | 'last'>,
): Promise<void> {
  const start = new vscode.Position(Math.min(first, document.lineCount) - 1, 0)
  const end = document.lineAt(Math.min(last, document.lineCount) - 1).range.end
  const editor = await vscode.window.showTextDocument(document, { preview: true })
  editor.selection = new vscode.Selection(end, start)
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop)
}
