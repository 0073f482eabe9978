/** How much repetition the person asked for, according to their words. */
export interface Patience {
  /** the same thing this many times */
  times: number
  /** until something happens: they want polling */
  until: boolean
}

/**
 * Reads what a request tells the agent to do. Only an order counts: a clause that begins with a verb for something
 * repeatable. Numbers and conditions elsewhere are facts, and a long request quotes a document that is not the
 * person's own words.
 */
export function readRequest(text: string): Patience {
  const patience = { times: 0, until: false }
  if (text.length > MAX_REQUEST) return patience
  const clauses = clausesIn(text)
  for (const clause of clauses) {
    if (REPEATABLE.test(clause)) {
      patience.times = Math.max(patience.times, timesIn(clause, TIMES))
      patience.until ||= UNTIL.test(clause)
    }
    if (ORDERED.test(clause)) patience.times = Math.max(patience.times, timesIn(clause, THINGS))
    patience.until ||= WATCH.test(clause)
  }
  // some people just say "ten times"
  const [only = ''] = clauses
  if (
    clauses.length === 1 &&
    only
      .replace(TIMES, '')
      .replace(/^an?\b/, '')
      .trim() === ''
  ) {
    patience.times = timesIn(only, TIMES)
  }
  return patience
}

const MAX_REQUEST = 800
// the log of rounds is not much longer; to get more, allow the tool
const MAX_TIMES = 100

/** The clauses of a request without quotations and polite words, up to where they start to describe something. */
function clausesIn(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/`[^`]*`|"[^"]*"|“[^“”]*”|«[^«»]*»|^[ \t]*>[^\n]*/gm, ' ')
    .split(/[.!?;:。！？；\n]+|,?\s(?:and|then|but|so|und|dann|et|puis|y|luego|и|потом)\s|，/)
    .map((clause) => clause.trim().replace(POLITE, '').replace(TELLING, ''))
    .filter((clause) => clause !== '')
}

const POLITE =
  /^(?:[-*•\d)]{1,3}\s+|(?:please|now|then|next|first|finally|just|also|again|ok|okay|and|so|bitte|por favor|s'il te plaît|пожалуйста|请)[,\s]*|(?:can|could|would|will) you\s+|you (?:should|must|may|can|need to|have to)\s+|i (?:want|need|would like|'d like) you to\s+|let'?s\s+|go ahead and\s+|your (?:task|job) is to\s+|we (?:need|have) to\s+|try to\s+)+/

const TELLING = /\b(?:that|which|who|whose|where|because|since|if|dass|qui|que)\b.*/

/** Verbs for repeatable things, as orders, in the languages people use with agents. */
const REPEATABLE =
  /^(?:(?:run|rerun|execute|repeat|do(?! not)|try|retry|call|send|generate|print|say|loop|ping|invoke|perform|roll|flip|fire|submit|hit|query|poll|request|launch|play|ask|check|look|wait|keep|continue|benchmark|measure|sample|click|press|restart|fetch|write (?:it|this|that|the (?:same|word|sentence|line|phrase))|führe?|lass|starte|wiederhole?|mach|sende|schicke|probiere?|teste|lance|exécute|répète|fais|envoie|essaie|ejecuta|corre|repite|haz|envía|prueba|intenta|запусти|выполни|повтори|сделай|отправь)(?!\p{L})|执行|运行|重复|跑|发送|把|実行|반복|실행)/u

const WORDS = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const LARGE: Record<string, number> = { dozen: 12, twenty: 20, fifty: 50, hundred: 100 }
const NUMBER = `(?<![\\w.])(?:\\d{1,4}|${WORDS.join('|')}|dozen|twenty|fifty|hundred)`
const NUMBERS = new RegExp(NUMBER)
// a rate is a fact
const RATE = '(?!\\s*(?:\\d|per\\b|an?\\b|each\\b|every\\b|\\/|pro\\b|par\\b|por\\b))'
const TIMES = new RegExp(
  `${NUMBER}(?:\\s*[x×](?!\\w)|\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:times|runs|copies|iterations|repetitions|attempts|rounds|tries)\\b|\\s*(?:mal|fois|veces|vezes|volte|раза?)(?!\\p{L})|\\s*[次遍回번])${RATE}`,
  'gu',
)
/** Things that count if the order is about nothing else: "send 50 requests", "make 20 identical runs". */
const THINGS = new RegExp(
  `^(?:\\p{L}+|i (?:want|need|would like)|give me)\\s+(?:(?:about|exactly|another)\\s+)?${NUMBER}\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:runs|copies|iterations|repetitions|attempts|rounds|tries|requests|calls|samples|pings|queries)\\b${RATE}`,
  'gu',
)
const ORDERED =
  /^(?:make(?! sure)|take|draw|collect|issue|send|fire|perform|do(?! not)|run|generate|i (?:want|need|would like)|give me)\s/

function timesIn(order: string, counted: RegExp): number {
  let most = 0
  for (const said of order.match(counted) ?? []) {
    const [word = ''] = said.match(NUMBERS) ?? []
    const spelled = WORDS.indexOf(word)
    most = Math.max(most, spelled >= 0 ? spelled + 2 : (LARGE[word] ?? Number(word)))
  }
  return Math.min(most, MAX_TIMES)
}

/** Orders to watch something, whatever the rest of the sentence says. */
const WATCH =
  /^(?:wait (?:for|until|till)|(?:keep|continue) (?:checking|trying|watching|polling|looking|monitoring|waiting|retrying|pinging)|poll\b|monitor (?:the|it|this|that|for|my|our)\b|watch (?:it|this|that|for|until|(?:the|my|our) (?:build|job|deployment|deploy|pipeline|logs?|queue|run|ci|status|progress|servers?|pods?|release|rollout))\b|(?:check|look|poll|ping|run|query|retry|ask)\b.*\bevery (?:\d+ |few |other )?(?:seconds?|minutes?|hours?)|(?:tell|let|notify|inform|alert|ping) (?:me|us)\b.*\b(?:as soon as|when|once)\b|warte|espera|attends|подожди)|^等|等到/

/** A condition, which counts only with an order for something repeatable. */
const UNTIL = /\b(?:until|till|bis|jusqu'à|hasta)\b|直到|пока/
