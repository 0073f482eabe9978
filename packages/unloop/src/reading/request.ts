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
    const isOrder = ORDER.test(clause)
    const times = Math.max(
      isOrder || EACH.test(clause) ? timesIn(clause, TIMES) : 0,
      timesIn(clause, THINGS),
    )
    const until = isWatch(clause) || (isOrder && UNTIL.test(clause))
    patience.until ||= until
    if (times === 0 && !until) continue
    patience.times = Math.max(patience.times, times)
    patience.says ||= SAYING.test(clause)
    addWords(patience, clause.replace(UNTIL, ''))
  }
  // what is quoted is what is to be repeated
  if (patience.times > 0 && patience.about.length > 0)
    for (const [quoted] of text.toLowerCase().matchAll(QUOTED)) addWords(patience, quoted)
  // some people just say "ten times"
  const [only = '', second] = clauses
  if (second === undefined && /^(?:an?\s)?$/.test(only.replace(TIMES, '')))
    patience.times = timesIn(only, TIMES)
  return patience
}

const MAX_REQUEST = 800
// an order has few words
const MAX_ABOUT = 24
// the log of rounds is not much longer; to get more, allow the tool
const MAX_TIMES = 100

/** The clauses of a request without quotations and polite words, up to where they start to describe something. */
const clausesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(QUOTED, ' ')
    .split(SEPARATOR)
    .map((clause) => clause.trim().replace(POLITE, '').replace(TELLING, ''))
    .filter((clause) => clause !== '')

const QUOTED = /`[^`]*`|"[^"]*"|“[^“”]*”|«[^«»]*»|^[ \t]*>[^\n]*/gm

const POLITE =
  /^(?:[-*•\d)]{1,3}\s+|(?:please|now|then|next|first|finally|just|also|again|ok|okay|and|so|bitte|por favor|s'il te plaît|пожалуйста|请)[,\s]*|(?:can|could|would|will) you\s+|you (?:should|must|may|can|need to|have to)\s+|i (?:want|need|would like|'d like) you to\s+|let'?s\s+|go ahead and\s+|your (?:task|job) is to\s+|we (?:need|have) to\s+|try to\s+)+/

const TELLING = /\b(?:that|which|who|whose|where|because|since|if|dass|qui|que)\b.*/

const alternatives = (words: string) => words.replaceAll(' ', '|')

/** Verbs for repeatable things that say nothing of what is repeated, in the languages people use with agents. */
const VERBS =
  'run rerun execute repeat do try retry call keep continue perform invoke print wait watch monitor poll tell let fuehre führe lass starte wiederhole exécute lance fais répète запусти выполни повтори сделай'
/** Verbs that also say what is repeated, or what with. */
const NAMING_VERBS =
  'send generate say loop ping roll flip fire submit hit query request launch play ask check look benchmark measure sample click press restart fetch mach sende schicke probiere teste envoie essaie отправь'
const ANY_VERB = `(?!do not)(?:(?:${alternatives(`${VERBS} ${NAMING_VERBS}`)}|write (?:it|this|that|the (?:same|word|sentence|line|phrase))|(?:ejec[uú]ta|c[oó]rre|rep[ií]te|haz|env[ií]a|pru[eé]ba|int[eé]nta)(?:l[oae]s?)?)(?!\\p{L})|执行|运行|重复|跑|发送|把)`
const ORDER = new RegExp(`^${ANY_VERB}`, 'u')

/** Where a clause ends; a dot inside a word is part of a name: test.py, ./run.sh, test:unit. */
const SEPARATOR = new RegExp(
  `[.!?;:](?=\\s|$)|[。！？；\\n]+|,?\\s(?:and|then|but|so|und|dann|et|puis|y|luego|и|потом)\\s|，|,\\s(?=${ANY_VERB})`,
  'u',
)

const WORDS =
  'two three four five six seven eight nine ten eleven twelve dozen twenty fifty hundred'.split(' ')
/** What the last of them mean. */
const LARGE = [12, 20, 50, 100]
const NUMBER = `(?<![\\w.])(?:\\d{1,4}|${WORDS.join('|')})`
const NUMBERS = new RegExp(NUMBER)
const THING = 'runs|copies|iterations|repetitions|attempts|rounds|tries'
// a rate is a fact, but "5x each" is an order
const RATE =
  '(?!\\s*(?:\\d|per\\b|an?\\b|(?:each|every)\\s+(?!(?:as|and|with|in|on|for)\\b)\\w|\\/|p(?:ro|ar|or)\\b))'
const TIMES = new RegExp(
  `${NUMBER}(?:\\s*[x×](?!\\w)|\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:times|${THING})\\b|\\s*(?:mal|fois|veces|vezes|раза?)(?!\\p{L})|\\s*[次遍])${RATE}`,
  'gu',
)
/** Things that count if the order is about nothing else: "send 50 requests", "make 20 identical runs". */
const THINGS = new RegExp(
  `^(?:make|take|draw|collect|issue|send|fire|perform|do|run|generate|i (?:want|need|would like)|give me)\\s+(?:(?:about|exactly|another)\\s+)?${NUMBER}\\s+(?:more\\s+)?(?:[a-z]+\\s+)?(?:${THING}|requests|calls|samples|pings|queries)\\b${RATE}`,
  'gu',
)
/** So many times each is an order, whatever its verb. */
const EACH = /(?:\d\s*[x×]|times)\s+each\b/

/** Orders to say something. */
const SAYING =
  /^(?:say|ask|print|write|repeat|recite|type|output|tell|sage?|schreibe?|dis|écris|répète|di|escribe|repite|скажи|напиши|повтори|说|写|重复)(?!\p{L})/u

/** Adds the words of an order that say what it is about, in singular, too. */
function addWords({ about }: Patience, clause: string): void {
  const object = clause.replace(/^(?:look|check|see)\s/, '')
  // "samples" names a sample, "log in" a login
  const other = object
    .replace(/s\b/g, '')
    .replace(/\b(log|sign|check|clock|back|start|shut) (in|out|up|down)\b/g, '$1$2')
  // "the generator" is generate_audio
  const stems = object.replace(/\p{L}+/gu, (word) => (isNaming(word) ? stemOf(word) : ''))
  const words = new Set([object, other, stems].flatMap((each) => hashesOf(each, isNaming)))
  about.push(...[...words].slice(0, MAX_ABOUT - about.length))
}

/** The beginning that the forms of a word share. */
export const stemOf = (word: string): string => word.slice(0, STEM)
const STEM = 6

const isNaming = (word: string) =>
  word.length > 2 && !GENERAL.has(word) && !/[áéíóú]\w{0,9}l[oa]$/.test(word)

/** Words of such orders that name nothing: verbs for any kind of work, what is counted, and function words. */
const GENERAL = new Set([
  ...VERBS.split(' '),
  ...WORDS,
  ...THING.split('|'),
  ...'runs tries calls make take start use until till while times time more again attempt iteration sample samples requests request copy exactly about another each every the this that it its them they him her with for from into onto then and but not all any some one once same identical you your our please just also row per minutes minute seconds second hours hour has have been are was were will would should can could when what there here endpoint endpoints tool tools function functions api command commands action actions mal fois veces ejecuta hazlo aus les des una los las der die das den'.split(
    ' ',
  ),
])

function timesIn(order: string, counted: RegExp): number {
  let most = 0
  for (const said of order.match(counted) ?? []) {
    const [word = ''] = said.match(NUMBERS) ?? []
    const spelled = WORDS.indexOf(word)
    most = Math.max(most, spelled < 0 ? Number(word) : (LARGE[spelled - 11] ?? spelled + 2))
  }
  return Math.min(most, MAX_TIMES)
}

/** Orders to watch something, whatever the rest of the sentence says. */
const WATCH =
  /^(?:wait (?:for|until|till)|(?:keep|continue) (?:check|try|watch|poll|look|monitor|wait|retry|ping)ing|poll\b|monitor (?:the|it|this|that|for|my|our)\b|watch (?:it|this|that|for|until|(?:the|my|our) (?:build|job|deployment|deploy|pipeline|logs?|queue|run|ci|status|progress|servers?|pods?|release|rollout))\b|(?:check|look|poll|ping|run|query|retry|ask)\b.*\bevery (?:\d+ |few |other )?(?:second|minute|hour)s?|warte|espera|attends|подожди)|^等|等到/

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
const UNTIL = /(?:\b(?:until|till|bis|jusqu'à|hasta)\b|直到|пока).*/
