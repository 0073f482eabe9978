import { hashesOf } from './words.js'

/** How much repetition the person asked for, according to their words. */
export interface Patience {
  /** the same thing this many times */
  times: number
  /** until something happens: they want polling */
  until: boolean
  /** hashes of the words that name what is to be repeated; none if the order names nothing */
  about: number[]
  /** it is words that are to be repeated */
  says: boolean
}

export const noPatience = (): Patience => ({ times: 0, until: false, about: [], says: false })

/**
 * Reads what a request tells the agent to do. Only an order counts: a clause that begins with a verb for something
 * repeatable. Numbers and conditions elsewhere are facts, and a long request quotes a document that is not the
 * person's own words.
 */
export function readRequest(text: string): Patience {
  const patience = noPatience()
  if (text.length > MAX_REQUEST) return patience
  const clauses = clausesIn(text)
  for (const clause of clauses) {
    const times = Math.max(
      REPEATABLE.test(clause) || EACH.test(clause) ? timesIn(clause, TIMES) : 0,
      ORDERED.test(clause) ? timesIn(clause, THINGS) : 0,
    )
    const until = isWatch(clause) || (REPEATABLE.test(clause) && UNTIL.test(clause))
    patience.until ||= until
    if (times === 0 && !until) continue
    patience.times = Math.max(patience.times, times)
    patience.says ||= SAYING.test(clause)
    patience.about.push(
      ...wordsAbout(clause.replace(UNTIL_REST, ''), MAX_ABOUT - patience.about.length),
    )
  }
  // what is quoted is what is to be repeated
  if (patience.times > 0 && patience.about.length > 0)
    for (const [quoted] of text.toLowerCase().matchAll(QUOTED))
      patience.about.push(...wordsAbout(quoted, MAX_ABOUT - patience.about.length))
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
// an order has few words
const MAX_ABOUT = 24
// the log of rounds is not much longer; to get more, allow the tool
const MAX_TIMES = 100

/** The clauses of a request without quotations and polite words, up to where they start to describe something. */
function clausesIn(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(QUOTED, ' ')
      // a dot inside a word is part of a name: test.py, ./run.sh, test:unit
      .split(
        /[.!?;:](?=\s|$)|[。！？；\n]+|,?\s(?:and|then|but|so|und|dann|et|puis|y|luego|и|потом)\s|，|,\s(?=(?:run|rerun|repeat|try|retry|keep|wait|poll|check|execute|call|ping|watch|monitor|tell|let)\b|(?:führ|starte|wiederhol|lance|exécute|répète|ejec[uú]t|c[oó]rre|rep[ií]te|запусти|повтори))/,
      )
      .map((clause) => clause.trim().replace(POLITE, '').replace(TELLING, ''))
      .filter((clause) => clause !== '')
  )
}

const QUOTED = /`[^`]*`|"[^"]*"|“[^“”]*”|«[^«»]*»|^[ \t]*>[^\n]*/gm

const POLITE =
  /^(?:[-*•\d)]{1,3}\s+|(?:please|now|then|next|first|finally|just|also|again|ok|okay|and|so|bitte|por favor|s'il te plaît|пожалуйста|请)[,\s]*|(?:can|could|would|will) you\s+|you (?:should|must|may|can|need to|have to)\s+|i (?:want|need|would like|'d like) you to\s+|let'?s\s+|go ahead and\s+|your (?:task|job) is to\s+|we (?:need|have) to\s+|try to\s+)+/

const TELLING = /\b(?:that|which|who|whose|where|because|since|if|dass|qui|que)\b.*/

/** Verbs for repeatable things, as orders, in the languages people use with agents. */
const REPEATABLE =
  /^(?:(?:run|rerun|execute|repeat|do(?! not)|try|retry|call|send|generate|print|say|loop|ping|invoke|perform|roll|flip|fire|submit|hit|query|poll|request|launch|play|ask|check|look|wait|keep|continue|benchmark|measure|sample|click|press|restart|fetch|write (?:it|this|that|the (?:same|word|sentence|line|phrase))|führe?|lass|starte|wiederhole?|mach|sende|schicke|probiere?|teste|lance|exécute|répète|fais|envoie|essaie|ejecuta|corre|repite|haz|envía|prueba|intenta|(?:ejec[uú]t[ae]|c[oó]rre|rep[ií]te|haz|env[ií]a|pru[eé]ba|int[eé]nta)l[oae]s?|запусти|выполни|повтори|сделай|отправь)(?!\p{L})|执行|运行|重复|跑|发送|把|実行|반복|실행)/u

const WORDS = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const LARGE: Record<string, number> = { dozen: 12, twenty: 20, fifty: 50, hundred: 100 }
const NUMBER = `(?<![\\w.])(?:\\d{1,4}|${WORDS.join('|')}|dozen|twenty|fifty|hundred)`
const NUMBERS = new RegExp(NUMBER)
// a rate is a fact, but "5x each" is an order
const RATE =
  '(?!\\s*(?:\\d|per\\b|an?\\b|(?:each|every)\\s+(?!as\\b|and\\b|with\\b|in\\b|on\\b|for\\b)\\w|\\/|pro\\b|par\\b|por\\b))'
const TIMES = new RegExp(
  `${NUMBER}(?:\\s*[x×](?!\\w)|\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:times|runs|copies|iterations|repetitions|attempts|rounds|tries)\\b|\\s*(?:mal|fois|veces|vezes|volte|раза?)(?!\\p{L})|\\s*[次遍回번])${RATE}`,
  'gu',
)
/** Things that count if the order is about nothing else: "send 50 requests", "make 20 identical runs". */
const THINGS = new RegExp(
  `^(?:\\p{L}+|i (?:want|need|would like)|give me)\\s+(?:(?:about|exactly|another)\\s+)?${NUMBER}\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:runs|copies|iterations|repetitions|attempts|rounds|tries|requests|calls|samples|pings|queries)\\b${RATE}`,
  'gu',
)
/** So many times each is an order, whatever its verb. */
const EACH = /(?:\d\s*[x×]|times)\s+each\b/

const ORDERED =
  /^(?:make(?! sure)|take|draw|collect|issue|send|fire|perform|do(?! not)|run|generate|i (?:want|need|would like)|give me)\s/

/** Orders to say something. */
const SAYING =
  /^(?:say|ask|print|write|repeat|recite|type|output|tell|sage?|schreibe?|dis|écris|répète|di|escribe|repite|скажи|напиши|повтори|说|写|重复)(?!\p{L})/u

/** The words of an order that say what it is about, in singular, too. */
function wordsAbout(clause: string, most: number): number[] {
  const object = clause.replace(/^(?:look|check|see)\s/, '')
  // "samples" names a sample, "log in" a login
  const other = object
    .replace(/s\b/g, '')
    .replace(/\b(log|sign|check|clock|back|start|shut) (in|out|up|down)\b/g, '$1$2')
  // "the generator" is generate_audio
  const stems = object.replace(/\p{L}+/gu, (word) => (isNaming(word) ? stemOf(word) : ''))
  return [...new Set([object, other, stems].flatMap((words) => hashesOf(words, isNaming)))].slice(
    0,
    most,
  )
}

/** The beginning that the forms of a word share. */
export const stemOf = (word: string): string => word.slice(0, STEM)
const STEM = 6

const isNaming = (word: string) => word.length > 2 && !GENERAL.has(word)

/** Words of such orders that name nothing: verbs for any kind of work, what is counted, and function words. */
const GENERAL = new Set(
  (
    'run runs rerun execute repeat do try tries retry call calls make take start keep continue perform invoke use let until till while ' +
    'times time more again attempts attempt iterations iteration repetitions copies rounds samples requests request two three four five six ' +
    'seven eight nine ten eleven twelve dozen twenty fifty hundred exactly about another each every the this that it its them they him her ' +
    'with for from into onto then and but not all any some one once same identical you your our please just also row per minutes minute seconds ' +
    'second hours hour has have been are was were will would should can could when what there here wait watch monitor poll ' +
    'sample run copy call print ' +
    'endpoint endpoints tool tools function functions api command commands thing things action actions operation operations ' +
    'mal fois veces vezes führe fuehre starte lass exécute lance ejecuta corre córrelo córrela ejecútalo ejecútala repítelo repítela hazlo pruébalo inténtalo run aus bis dass les des una los las der die das den'
  ).split(' '),
)

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
  /^(?:wait (?:for|until|till)|(?:keep|continue) (?:checking|trying|watching|polling|looking|monitoring|waiting|retrying|pinging)|poll\b|monitor (?:the|it|this|that|for|my|our)\b|watch (?:it|this|that|for|until|(?:the|my|our) (?:build|job|deployment|deploy|pipeline|logs?|queue|run|ci|status|progress|servers?|pods?|release|rollout))\b|(?:check|look|poll|ping|run|query|retry|ask)\b.*\bevery (?:\d+ |few |other )?(?:seconds?|minutes?|hours?)|warte|espera|attends|подожди)|^等|等到/

/** Orders to report something that will happen. */
const REPORT =
  /^(?:tell|let|notify|inform|alert|ping|message) (?:me|us)\b.*?\b(?:as soon as|when|once)\s(.*)/

/** What the agent itself does, and what has happened already, cannot be waited for. */
const DONE =
  /^(?:you\b|you['’]|(?:all |everything |that |this )?(?:is |['’]s )?(?:done|finished|complete))|\b(?:was|were|did|had)\b/

function isWatch(clause: string): boolean {
  const [, event] = REPORT.exec(clause) ?? []
  return event === undefined ? WATCH.test(clause) : !DONE.test(event)
}

/** A condition, which counts only with an order for something repeatable. */
const UNTIL_REST = /\b(?:until|till|bis|jusqu'à|hasta)\b.*|直到.*|пока.*/
const UNTIL = /\b(?:until|till|bis|jusqu'à|hasta)\b|直到|пока/
