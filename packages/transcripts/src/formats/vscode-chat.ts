import { dirname, join, resolve } from 'node:path'
import { vscodeFolders } from '../editor-folders.js'
import { fileOf } from '../file-uri.js'
import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, objectOf, textOf, timeOf } from '../json.js'
import { readBeside } from '../read-beside.js'
import { createRewind } from '../rewind.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { createReplay } from './vscode-replay.js'
import { emitRequest } from './vscode-request.js'

/** Copilot Chat in VS Code: a session as one document, or as a log of the changes to it. */
export const vscodeChat: RecordFormat = {
  name: 'vscode-chat',
  title: 'VS Code Copilot Chat',
  stage: 'stable',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records, isArray }) => !isArray && records.some(isOurs),
  locations: (machine) =>
    vscodeFolders(machine).flatMap((user) => [
      {
        path: machine.join(user, 'workspaceStorage'),
        files: /^[^/]+\/chatSessions\/[^/]+\.jsonl?$/,
        depth: 2,
      },
      {
        path: machine.join(user, 'globalStorage', 'emptyWindowChatSessions'),
        files: /\.jsonl?$/,
        depth: 0,
      },
    ]),
  async start(sink, path) {
    const workspace = join(dirname(dirname(resolve(path))), 'workspace.json')
    const { folder, workspace: file } = objectOf(await readBeside(workspace))
    return createReader(sink, fileOf(textOf(folder) ?? textOf(file)))
  },
}

const isSession = ({ requests, sessionId, responderUsername }: Json) =>
  Array.isArray(requests) && (textOf(sessionId) ?? textOf(responderUsername)) !== undefined

const isOurs = (record: Json) =>
  isSession(record) || (record.kind === 0 && isObject(record.v) && isSession(record.v))

function createReader(sink: Sink, project: string | undefined): Reader {
  const run: Run = sink.run({ program: 'vscode-chat', ...(project && { project }) })
  const rewind = createRewind()

  const replay = createReplay({
    tell(request) {
      const at = timeOf(request.timestamp)
      emitRequest(run, request, rewind.through(stamp(sink, run, at)))
    },
    goBack: rewind.mark,
    learn,
  })

  function learn(key: string, value: unknown): void {
    const at = key === 'creationDate' ? timeOf(value) : undefined
    if (at !== undefined) run.startedAt = at
    if (key === 'sessionId') run.session = textOf(value) ?? run.session ?? ''
  }

  return {
    read(record, key) {
      if (key === 'requests') return void replay.add(record)
      // a log that is one line is taken for a document
      if (key === 'v') return replay.change({ kind: 0, v: record })
      if (key !== '') return
      return 'kind' in record ? replay.change(record) : replay.change({ kind: 0, v: record })
    },
    learn,
    end: replay.end,
  }
}
