/** How much repetition the person asked for, as far as their words tell. */
export interface Patience {
  /** the same thing this many times */
  times: number
  /** until something is the case: polling is what they want */
  until: boolean
}

/** Reads a request. A long one quotes a document whose words are not the person's. */
export function readRequest(text: string): Patience {
  if (text.length > MAX_REQUEST) return { times: 0, until: false }
  return { times: timesIn(text), until: UNTIL.test(text) }
}

const MAX_REQUEST = 800

const WORDS = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const TIMES = new RegExp(
  `\\b(?:\\d{1,4}|${WORDS.join('|')}|twenty|fifty|hundred)\\s+(?:more\\s+)?(?:identical\\s+|separate\\s+|similar\\s+|equal\\s+)?(?:times|runs|copies|iterations|repetitions|attempts|rounds|tries|samples|requests|calls)\\b`,
  'g',
)
const UNTIL =
  /\b(?:until|till|poll|polling|keep (?:checking|trying|watching|running)|wait (?:for|until|till)|(?:monitor|watch) (?:the|it|this|that|for|my|our|until)|every \d+ (?:seconds?|minutes?)|as soon as|once it (?:is|has))\b/i

function timesIn(text: string): number {
  let most = 0
  for (const said of text.toLowerCase().match(TIMES) ?? []) {
    const [word = ''] = said.split(/\s/, 1)
    const spelled = WORDS.indexOf(word)
    const large = { twenty: 20, fifty: 50, hundred: 100 }[word] ?? 0
    most = Math.max(most, spelled >= 0 ? spelled + 2 : large || Number(word) || 0)
  }
  return Math.min(most, 1000)
}
