import type { ContenderResult } from './measure.js'
import type { Outcome } from './metrics.js'
import { type Section, sections } from './sources.js'

/** What a contender missed, flagged wrongly, did not stop or saw late, one a line. */
export function listMistakes({ name, outcomes }: ContenderResult): string {
  const parts = (Object.keys(sections) as Section[]).flatMap((section) => {
    const list = outcomes[section] ?? []
    const part = (what: string, wrong: readonly Outcome[], line: (outcome: Outcome) => string) =>
      wrong.length === 0
        ? []
        : [
            `  ${sections[section]}, ${what}: ${wrong.length}`,
            ...wrong.map((outcome) => `    ${line(outcome)}`),
          ]
    const isText = section === 'texts' || section === 'degenerate'
    return [
      ...part('missed', list.filter(isMissed), describeMiss),
      ...part('told early only', list.filter(isEarly), describeAlarm),
      ...part('flagged wrongly', list.filter(isFlagged), describeAlarm),
      ...part(
        'late',
        list.filter(({ advice: { delay = 0 } }) => delay > (section === 'texts' ? 0 : 4)),
        describeLate,
      ),
      ...(isText ? [] : part('found, not stopped', list.filter(isOnlyAdvised), describeAlarm)),
    ]
  })
  return parts.length === 0 ? `${name}: no mistakes` : `${name}\n${parts.join('\n')}`
}

const isMissed = ({ loop, advice }: Outcome) => loop && !advice.found && !advice.early
const isEarly = ({ advice }: Outcome) => advice.early && !advice.found
const isFlagged = ({ advice }: Outcome) => advice.wrong
const isOnlyAdvised = ({ advice, stops, stopWanted = true }: Outcome) =>
  advice.found && !stops.found && stopWanted

const describeMiss = ({ id, kind, evidentAt }: Outcome) =>
  `${id} (${kind})${evidentAt === undefined ? '' : `, evident at event ${evidentAt}`}`

const describeAlarm = ({ id, kind, detector, detail, alarmAt, stops }: Outcome) =>
  `${id} (${kind}), ${detector} at event ${alarmAt}${stops.wrong ? ', STOPPED' : ''}: ${oneLine(detail)}`

const describeLate = ({ id, kind, detector, advice, evidentAt }: Outcome) =>
  `${id} (${kind}), ${detector} ${advice.delay} events after it was evident at ${evidentAt}`

function oneLine(text = ''): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 140 ? `${flat.slice(0, 140)}…` : flat
}
