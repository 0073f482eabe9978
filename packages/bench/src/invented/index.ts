import { browserHonest } from './browser-honest.js'
import { browserLoops } from './browser-loops.js'
import { chatHonest } from './chat-honest.js'
import { chatLoops } from './chat-loops.js'
import { codingHonestEdits } from './coding-honest-edits.js'
import { codingHonestReads } from './coding-honest-reads.js'
import { codingLoops } from './coding-loops.js'
import { moreCodingLoops } from './coding-loops-more.js'
import { databaseHonest } from './database-honest.js'
import { databaseLoops } from './database-loops.js'
import { devopsHonest } from './devops-honest.js'
import { devopsLoops } from './devops-loops.js'
import { documentHonest } from './documents-honest.js'
import { documentLoops } from './documents-loops.js'
import { gameHonest } from './games-honest.js'
import { gameLoops } from './games-loops.js'
import { noteHonest } from './notes-honest.js'
import { noteLoops } from './notes-loops.js'
import { researchHonest } from './research-honest.js'
import { researchLoops } from './research-loops.js'
import type { Invented } from './script.js'
import { securityHonest } from './security-honest.js'
import { securityLoops } from './security-loops.js'
import { serviceHonest } from './service-honest.js'
import { serviceLoops } from './service-loops.js'
import { teamHonest } from './teams-honest.js'
import { teamLoops } from './teams-loops.js'
import { trialHonest } from './trials-honest.js'
import { trialLoops } from './trials-loops.js'

export type { Invented } from './script.js'

/** Runs made up without a look at the detectors, to see whether these generalize. */
export const invented: Invented[] = [
  ...browserHonest,
  ...browserLoops,
  ...chatHonest,
  ...chatLoops,
  ...codingHonestEdits,
  ...codingHonestReads,
  ...codingLoops,
  ...moreCodingLoops,
  ...databaseHonest,
  ...databaseLoops,
  ...devopsHonest,
  ...devopsLoops,
  ...documentHonest,
  ...documentLoops,
  ...gameHonest,
  ...gameLoops,
  ...noteHonest,
  ...noteLoops,
  ...researchHonest,
  ...researchLoops,
  ...securityHonest,
  ...securityLoops,
  ...serviceHonest,
  ...serviceLoops,
  ...teamHonest,
  ...teamLoops,
  ...trialHonest,
  ...trialLoops,
]
