// One of several threads that scan; it is given a path at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { type GuardSource, loadGuardOptions } from './guard-source.js'
import type { FileReport, RunReport } from './run-report.js'
import { scanTranscript } from './scan-transcript.js'

/** What a thread tells. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'run'; report: RunReport }
  | { type: 'file'; report: FileReport }

const port = parentPort
if (port) {
  const guard = await loadGuardOptions(workerData as GuardSource)
  const tell = (message: WorkerMessage) => port.postMessage(message)
  port.on('message', async (path: string) => {
    const report = await scanTranscript(path, { guard }, (run) =>
      tell({ type: 'run', report: run }),
    )
    tell({ type: 'file', report })
  })
  tell({ type: 'ready' })
}
