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
const LARGE: Record<string, number> = { dozen: 12, twenty: 20, fifty: 50, hundred: 100 }
const OF = 'times|runs|copies|iterations|repetitions|attempts|rounds|tries|samples|requests|calls'
const TIMES = new RegExp(
  `(?<![\\w.])(?:\\d{1,4}|${WORDS.join('|')}|dozen|twenty|fifty|hundred)\\s*` +
    // in English with a word in between; and as others say it
    `(?:[x×](?!\\w)|\\s(?:more\\s+)?(?:[a-z]+\\s+)?(?:${OF})\\b|(?:mal|fois|veces|vezes|volte|раза?)(?!\\p{L})|[次遍回번])`,
  'gu',
)
const UNTIL =
  /\b(?:until|till|poll|polling|keep (?:checking|trying|watching|running)|wait (?:for|until|till)|(?:monitor|watch) (?:the|it|this|that|for|my|our|until)|every \d+ (?:seconds?|minutes?)|as soon as|once it (?:is|has)|warte|espera|attends)\b|等到|直到|подожди/i

function timesIn(text: string): number {
  let most = 0
  for (const said of text.toLowerCase().match(TIMES) ?? []) {
    const [word = ''] = /^(?:\d+|[a-z]+)/.exec(said) ?? []
    const spelled = WORDS.indexOf(word)
    most = Math.max(most, spelled >= 0 ? spelled + 2 : (LARGE[word] ?? Number(word)))
  }
  return Math.min(most, 1000)
}
