import type { ContenderResult } from './measure.js'
import type { Outcome } from './metrics.js'
import { type Section, sections } from './sources.js'

/** What a contender missed, flagged wrongly or saw late, one a line. */
export function listMistakes({ name, outcomes }: ContenderResult): string {
  const parts = (Object.keys(sections) as Section[]).flatMap((section) => {
    const list = outcomes[section] ?? []
    if (section === 'other')
      return part(
        'flagged',
        section,
        list.filter(({ detector }) => detector),
        describeAlarm,
      )
    return [
      ...part(
        'missed',
        section,
        list.filter(({ loop, found }) => loop && !found),
        describeMiss,
      ),
      ...part(
        'flagged wrongly',
        section,
        list.filter(({ falseAlarm }) => falseAlarm),
        describeAlarm,
      ),
      ...part(
        'late',
        section,
        list.filter(({ delay = 0 }) => delay > (section === 'texts' ? 0 : 4)),
        describeLate,
      ),
    ]
  })
  return parts.length === 0 ? `${name}: no mistakes` : `${name}\n${parts.join('\n')}`
}

function part(
  what: string,
  section: Section,
  list: readonly Outcome[],
  line: (o: Outcome) => string,
) {
  if (list.length === 0) return []
  return [
    `  ${sections[section]}, ${what}: ${list.length}`,
    ...list.map((outcome) => `    ${line(outcome)}`),
  ]
}

const describeMiss = ({ id, kind, evidentAt }: Outcome) =>
  `${id} (${kind})${evidentAt === undefined ? '' : `, evident at event ${evidentAt}`}`

const describeAlarm = ({ id, kind, detector, detail, alarmAt }: Outcome) =>
  `${id} (${kind}), ${detector} at event ${alarmAt}: ${oneLine(detail)}`

const describeLate = ({ id, kind, detector, delay, evidentAt }: Outcome) =>
  `${id} (${kind}), ${detector} ${delay} events after it was evident at ${evidentAt}`

function oneLine(text = ''): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 140 ? `${flat.slice(0, 140)}…` : flat
}
