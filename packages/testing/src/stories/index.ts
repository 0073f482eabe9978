import { aimless } from './aimless.js'
import { byItself } from './by-itself.js'
import { contents } from './contents.js'
import { disguised } from './disguised.js'
import { everyday } from './everyday.js'
import { identifying } from './identifying.js'
import { knownHonest } from './known-honest.js'
import { knownLoops } from './known-loops.js'
import { mistakes } from './mistakes.js'
import { moreHonest } from './more-honest.js'
import { nothing } from './nothing.js'
import { numbers } from './numbers.js'
import { pages } from './pages.js'
import { requests } from './requests.js'
import { sentences } from './sentences.js'
import { isPlayableAtOnce, type Story } from './story.js'
import { texts } from './texts.js'
import { waiting } from './waiting.js'

export type { Outcome, Step, Story } from './story.js'
export { complaintsAbout, failsOn, roundsOf } from './story.js'

/** All stories, by what they are about. */
export const families: Record<string, readonly Story[]> = {
  'arguments that tell one call from another': identifying,
  'words inside what is read': contents,
  'what the person asked for': requests,
  'waiting for something': waiting,
  'page by page': pages,
  'answers that differ in numbers': numbers,
  'nothing found': nothing,
  'the same words before each call': sentences,
  'calls that cannot work': mistakes,
  'changes that do not help': byItself,
  'steps that lead nowhere': aimless,
  'everyday work': everyday,
  'honest work that was taken for a loop': knownHonest,
  'more honest work': moreHonest,
  'loops that were missed': knownLoops,
  'loops in disguise': disguised,
  'texts and thoughts': texts,
}

/** A third of each family, for programs in which no time passes and a turn without a call is the last one. */
export const thirdOfStories: readonly (readonly [family: string, story: Story])[] = Object.entries(
  families,
).flatMap(([family, stories]) =>
  stories
    .filter(isPlayableAtOnce)
    .filter((_, at) => at % 3 === 0)
    .map((story) => [family, story] as const),
)
