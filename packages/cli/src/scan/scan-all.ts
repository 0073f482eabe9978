import { Worker } from 'node:worker_threads'
import { type GuardSource, loadGuardOptions } from './guard-source.js'
import { loadPrices } from './load-prices.js'
import { toFailure, unread } from './problem.js'
import type { RunDraft } from './run-draft.js'
import type { FileReport } from './run-report.js'
import { scanTranscript } from './scan-transcript.js'
import type { WorkerMessage } from './worker.js'

/** What a thread loads for itself. */
export interface ScanSources {
  source: GuardSource
  /** the file with the prices, if not our own list */
  prices: string | undefined
}

export interface ScanAllOptions extends ScanSources {
  /** threads, this one included */
  jobs: number
  signal: AbortSignal
  onRun(draft: RunDraft): void
  onFile(report: FileReport): void
  /** Called from time to time with how much of a file has been read. */
  onProgress?(path: string, bytes: number): void
}

/** Scans transcripts, several at a time; ends early when the signal comes. */
export async function scanAll(paths: readonly string[], options: ScanAllOptions): Promise<void> {
  const queue = [...paths]
  // this thread is one of them: it begins while the others start, and continues if none can be started
  const others = Math.max(1, Math.min(options.jobs, queue.length)) - 1
  await Promise.all([
    scanHere(queue, options),
    ...Array.from({ length: others }, () => scanInThread(queue, options)),
  ])
}

async function scanHere(queue: string[], options: ScanAllOptions) {
  const { source, signal, onRun, onFile } = options
  const guard = await loadGuardOptions(source)
  const prices = await loadPrices(options.prices)
  while (!signal.aborted) {
    const path = queue.shift()
    if (path === undefined) return
    const onProgress = (bytes: number) => options.onProgress?.(path, bytes)
    onFile(await scanTranscript(path, { guard, prices, signal, onProgress }, onRun))
  }
}

/** A thread that takes path after path; one that dies takes only the path it was at with it. */
function scanInThread(queue: string[], options: ScanAllOptions): Promise<void> {
  const { source, prices, signal, onRun, onFile } = options
  return new Promise((resolve) => {
    const worker = new Worker(new URL('worker.js', import.meta.url), {
      workerData: { source, prices } satisfies ScanSources,
    })
    const given: string[] = []
    let failure: { error: unknown } | undefined
    const give = () => {
      // one more than it is at, so that it need not wait until this thread has time for it
      while (given.length < 2 && !signal.aborted) {
        const path = queue.shift()
        if (path === undefined) break
        given.push(path)
        worker.postMessage(path)
      }
      if (given.length === 0) worker.terminate()
    }
    const abort = () => worker.terminate()
    signal.addEventListener('abort', abort)
    worker.on('message', (message: WorkerMessage) => {
      const [path] = given
      if (message.type === 'progress') {
        if (path !== undefined) options.onProgress?.(path, message.bytes)
        return
      }
      if (message.type === 'run') {
        try {
          return onRun(message.draft)
        } catch (error) {
          failure ??= { error }
          return
        }
      }
      if (message.type === 'file') {
        const { report } = message
        onFile(failure ? { ...report, problem: toFailure(failure.error) } : report)
        failure = undefined
        given.shift()
      }
      give()
    })
    worker.on('error', (error) => {
      const path = given.shift()
      if (path !== undefined) onFile(unread(path, toFailure(error)))
    })
    worker.on('exit', () => {
      signal.removeEventListener('abort', abort)
      queue.unshift(...given)
      resolve(queue.length > 0 && !signal.aborted ? scanInThread(queue, options) : undefined)
    })
  })
}
