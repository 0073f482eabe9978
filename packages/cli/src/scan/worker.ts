// One of several threads that scan; it is given a path at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { loadGuardOptions } from './guard-source.js'
import { loadPrices } from './load-prices.js'
import { REDRAW_MS } from './progress.js'
import type { RunDraft } from './run-draft.js'
import type { FileReport } from './run-report.js'
import type { ScanSources } from './scan-all.js'
import { scanTranscript } from './scan-transcript.js'

/** What a thread tells. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'progress'; bytes: number }
  | { type: 'run'; draft: RunDraft }
  | { type: 'file'; report: FileReport }

const port = parentPort
if (port) {
  const { source, prices: file } = workerData as ScanSources
  const guard = await loadGuardOptions(source)
  const prices = await loadPrices(file)
  const tell = (message: WorkerMessage) => port.postMessage(message)
  let last = Promise.resolve()
  // one after the other, in the order in which they were given
  port.on('message', (path: string) => {
    last = last.then(() => scan(path))
  })

  async function scan(path: string): Promise<void> {
    let toldAt = performance.now()
    const onProgress = (bytes: number) => {
      if (performance.now() - toldAt < REDRAW_MS) return
      toldAt = performance.now()
      tell({ type: 'progress', bytes })
    }
    const report = await scanTranscript(path, { guard, prices, onProgress }, (run) =>
      tell({ type: 'run', draft: run }),
    )
    tell({ type: 'file', report })
  }

  tell({ type: 'ready' })
}
