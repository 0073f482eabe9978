import { administrationHonest } from './administration-honest.js'
import { administrationLoops } from './administration-loops.js'
import { agentsHonest } from './agents-honest.js'
import { agentsLoops } from './agents-loops.js'
import { honestClicks } from './browser-honest-clicks.js'
import { honestForms } from './browser-honest-forms.js'
import { clickLoops } from './browser-loops-clicks.js'
import { pageLoops } from './browser-loops-pages.js'
import { chatHonest } from './chat-honest.js'
import { chatLoops } from './chat-loops.js'
import { honestEdits } from './coding-honest-edits.js'
import { honestReads } from './coding-honest-reads.js'
import { honestTests } from './coding-honest-tests.js'
import { honestWaits } from './coding-honest-waits.js'
import { editLoops } from './coding-loops-edits.js'
import { idleLoops } from './coding-loops-idle.js'
import { rerunLoops } from './coding-loops-runs.js'
import { toolLoops } from './coding-loops-tools.js'
import { moreCodingHonest } from './coding-more-honest.js'
import { moreCodingLoops } from './coding-more-loops.js'
import { crawlingHonest } from './crawling-honest.js'
import { crawlingLoops } from './crawling-loops.js'
import { databaseHonest } from './database-honest.js'
import { databaseLoops } from './database-loops.js'
import { moreDatabaseHonest } from './database-more-honest.js'
import { moreDatabaseLoops } from './database-more-loops.js'
import { designHonest } from './design-honest.js'
import { designLoops } from './design-loops.js'
import { honestFleet } from './devops-honest-batches.js'
import { honestPolls } from './devops-honest-waits.js'
import { devopsLoops } from './devops-loops.js'
import { documentHonest } from './documents-honest.js'
import { documentLoops } from './documents-loops.js'
import { financeHonest } from './finance-honest.js'
import { financeLoops } from './finance-loops.js'
import { gameHonest } from './games-honest.js'
import { gameLoops } from './games-loops.js'
import { moreGameHonest } from './games-more-honest.js'
import { moreGameLoops } from './games-more-loops.js'
import { householdHonest } from './household-honest.js'
import { householdLoops } from './household-loops.js'
import { laboratoryHonest } from './laboratory-honest.js'
import { laboratoryLoops } from './laboratory-loops.js'
import { languageHonest } from './language-honest.js'
import { languageLoops } from './language-loops.js'
import { noteHonest } from './notes-honest.js'
import { noteLoops } from './notes-loops.js'
import { honestRollouts } from './operations-honest-rollouts.js'
import { honestWatching } from './operations-honest-watching.js'
import { changeLoops } from './operations-loops-changes.js'
import { waitLoops } from './operations-loops-waits.js'
import { researchHonest } from './research-honest.js'
import { researchLoops } from './research-loops.js'
import type { Invented } from './script.js'
import { securityHonest } from './security-honest.js'
import { securityLoops } from './security-loops.js'
import { serviceHonest } from './service-honest.js'
import { serviceLoops } from './service-loops.js'
import { speechHonest } from './speech-honest.js'
import { speechLoops } from './speech-loops.js'
import { teamHonest } from './teams-honest.js'
import { teamLoops } from './teams-loops.js'
import { trainingHonest } from './training-honest.js'
import { trainingLoops } from './training-loops.js'
import { trialHonest } from './trials-honest.js'
import { trialLoops } from './trials-loops.js'

export type { Invented } from './script.js'

/** Runs made up without a look at the detectors, to see whether these generalize. */
export const invented: Invented[] = [
  ...honestClicks,
  ...honestForms,
  ...clickLoops,
  ...pageLoops,
  ...chatHonest,
  ...chatLoops,
  ...honestEdits,
  ...honestReads,
  ...honestTests,
  ...honestWaits,
  ...editLoops,
  ...idleLoops,
  ...rerunLoops,
  ...toolLoops,
  ...databaseHonest,
  ...databaseLoops,
  ...honestFleet,
  ...honestPolls,
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
  ...administrationHonest,
  ...administrationLoops,
  ...agentsHonest,
  ...agentsLoops,
  ...moreCodingHonest,
  ...moreCodingLoops,
  ...crawlingHonest,
  ...crawlingLoops,
  ...moreDatabaseHonest,
  ...moreDatabaseLoops,
  ...designHonest,
  ...designLoops,
  ...financeHonest,
  ...financeLoops,
  ...moreGameHonest,
  ...moreGameLoops,
  ...householdHonest,
  ...householdLoops,
  ...laboratoryHonest,
  ...laboratoryLoops,
  ...languageHonest,
  ...languageLoops,
  ...honestRollouts,
  ...honestWatching,
  ...changeLoops,
  ...waitLoops,
  ...speechHonest,
  ...speechLoops,
  ...trainingHonest,
  ...trainingLoops,
]
