/** Words from which the bench writes ordinary prose; nothing here means anything. */
export const nouns = wordList(`
  account answer archive argument balance bakery bench border branch bridge budget builder cache
  calendar camera canal captain carrier cellar chapter circle client clock coast column committee
  compass contract corner council courier current customer deadline decision delay delivery depot
  design detail device diary director distance document doorway drawing driver editor engine entry
  estimate evening factory farmer ferry figure filter folder forest formula foundation frame
  garden gateway glacier grammar guide harbour hearing hillside history holiday index inspector
  island journal journey kitchen ladder landscape language lantern lawyer layer ledger lesson
  letter library limit machine manual margin market meadow measure member meeting message method
  mirror model moment mountain museum network notebook number object office orchard outline owner
  package page painter paragraph partner passage passenger pattern payment people pipeline planner
  platform pocket policy port position printer problem process product project promise proposal
  quarter question railway reader reason record region register release report request reserve
  result return river roof route sample schedule school screen season section sentence server
  session shadow shelf signal silence sketch society solution source station storage story street
  student summary supply surface survey system table teacher theatre thread ticket timber tower
  township traffic translation traveller tunnel update valley vendor version village visitor volume
  warehouse weather window winter witness workshop writer`)

export const verbs = wordList(`
  accepts admits adjusts announces answers approaches arranges assembles avoids balances borrows
  builds calculates carries changes checks collects compares completes confirms connects considers
  copies counts covers crosses defends delivers describes discovers divides draws edits examines
  expects explains fills finds follows forgets gathers guards handles hides ignores improves
  includes inspects introduces joins keeps leaves lifts lists marks measures mentions moves needs
  notices opens orders outlines paints passes plans prepares prints protects proves publishes
  questions reaches reads rebuilds receives records reduces remembers removes repairs replaces
  reports returns reviews rewrites saves selects separates serves shapes shares shows signs sorts
  starts stores studies supports surprises tests traces trades translates turns uses visits warns
  watches weighs welcomes writes`)

export const adjectives = wordList(`
  ancient annual bitter blank brave brief bright broad broken busy calm careful cheap clean clear
  clever coastal cold common complete curious damp dark deep distant dry early eastern empty exact
  extra famous fast final flat foreign formal fresh full gentle global golden grey handmade heavy
  hidden high honest hollow hungry inner large late lazy light local lonely long loose loud low
  main minor modern narrow neat new northern odd official old open outer pale patient plain polite
  private proud public quick quiet random rare ready recent regular remote rough round sandy
  second secret serious sharp shallow short silent simple slow small soft solid southern spare
  stable steep strange strict strong sudden sunny tall tidy tight tiny usual vague warm weak
  western wide wild wooden young`)

export const adverbs = wordList(`
  again almost already always barely briefly calmly carefully certainly clearly closely early
  easily eventually exactly finally first gladly gradually hardly later mostly nearly never now
  often once openly partly perhaps promptly quickly quietly rarely recently seldom sharply simply
  slowly softly sometimes soon still suddenly surely twice usually well`)

export const places = wordList(`
  above across against along around before behind below beneath beside between beyond despite
  during inside near outside over past through towards under until upon within without`)

export const links = wordList(`
  although and because but if once or since so though unless until when whereas whenever while yet`)

/** The words of a text, for tables that would otherwise take one line per word. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
