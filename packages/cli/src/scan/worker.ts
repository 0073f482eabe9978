// One of several threads that scan; it is given a path at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { type GuardSource, loadGuardOptions } from './guard-source.js'
import { REDRAW_MS } from './progress.js'
import type { FileReport, RunReport } from './run-report.js'
import { scanTranscript } from './scan-transcript.js'

/** What a thread tells. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'progress'; bytes: number }
  | { type: 'run'; report: RunReport }
  | { type: 'file'; report: FileReport }

const port = parentPort
if (port) {
  const guard = await loadGuardOptions(workerData as GuardSource)
  const tell = (message: WorkerMessage) => port.postMessage(message)
  port.on('message', async (path: string) => {
    let toldAt = performance.now()
    const onProgress = (bytes: number) => {
      if (performance.now() - toldAt < REDRAW_MS) return
      toldAt = performance.now()
      tell({ type: 'progress', bytes })
    }
    const report = await scanTranscript(path, { guard, onProgress }, (run) =>
      tell({ type: 'run', report: run }),
    )
    tell({ type: 'file', report })
  })
  tell({ type: 'ready' })
}
