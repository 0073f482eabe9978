import { listPrices } from 'unloop/prices'
import type { RunDraft } from '../src/scan/run-draft.js'
import type { RunReport } from '../src/scan/run-report.js'
import { scanTranscript } from '../src/scan/scan-transcript.js'
import { settleRuns } from '../src/scan/settle.js'

/** The runs of one transcript. */
export async function scanOne(path: string): Promise<RunReport[]> {
  const drafts: RunDraft[] = []
  await scanTranscript(path, { guard: {}, prices: listPrices }, (draft) => drafts.push(draft))
  return settleRuns(drafts)
}
