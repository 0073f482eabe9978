import type { Family } from './case.js'
import { askedLookalikes } from './lookalikes/asked.js'
import { batchLookalikes } from './lookalikes/batches.js'
import { changingLookalikes } from './lookalikes/changing.js'
import { everydayLookalikes } from './lookalikes/everyday.js'
import { serviceLookalikes } from './lookalikes/services.js'
import { thinkingLookalikes } from './lookalikes/thinking.js'
import { waitingLookalikes } from './lookalikes/waiting.js'
import { cycleLoops } from './loops/cycles.js'
import { failingLoops } from './loops/failing.js'
import { fruitlessLoops } from './loops/fruitless.js'
import { identicalLoops } from './loops/identical.js'
import { messageLoops } from './loops/messages.js'
import { seenAgainLoops } from './loops/seen-again.js'
import { serviceLoops } from './loops/services.js'
import { chantLoops } from './texts/chants.js'
import { dataLookalikes } from './texts/data.js'
import { drawingLookalikes } from './texts/drawings.js'
import { formulaicLookalikes } from './texts/formulaic.js'
import { structuredChantLoops } from './texts/structured-chants.js'
import { variedChantLoops } from './texts/varied-chants.js'

/** Every kind of loop and of honest work that LoopBench writes. */
export const families: readonly Family[] = [
  { family: 'identical calls', loops: identicalLoops, lookalikes: [] },
  { family: 'cycles', loops: cycleLoops, lookalikes: [] },
  { family: 'failing', loops: failingLoops, lookalikes: [] },
  { family: 'fruitless', loops: fruitlessLoops, lookalikes: [] },
  { family: 'seen again', loops: seenAgainLoops, lookalikes: [] },
  { family: 'messages', loops: messageLoops, lookalikes: thinkingLookalikes },
  { family: 'services', loops: serviceLoops, lookalikes: serviceLookalikes },
  { family: 'waiting and moving', loops: [], lookalikes: waitingLookalikes },
  { family: 'changing', loops: [], lookalikes: changingLookalikes },
  { family: 'everyday', loops: [], lookalikes: everydayLookalikes },
  { family: 'batches', loops: [], lookalikes: batchLookalikes },
  { family: 'asked for', loops: [], lookalikes: askedLookalikes },
  { family: 'chants', loops: chantLoops, lookalikes: [] },
  { family: 'structured chants', loops: structuredChantLoops, lookalikes: [] },
  { family: 'varied chants', loops: variedChantLoops, lookalikes: [] },
  { family: 'data', loops: [], lookalikes: dataLookalikes },
  { family: 'drawings and markup', loops: [], lookalikes: drawingLookalikes },
  { family: 'formulaic text', loops: [], lookalikes: formulaicLookalikes },
]

export const textFamilies: ReadonlySet<string> = new Set([
  'chants',
  'structured chants',
  'varied chants',
  'data',
  'drawings and markup',
  'formulaic text',
])
