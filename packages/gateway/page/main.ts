import { createBoard } from './board.js'
import { type Connection, connect } from './connection.js'
import { byId, setText } from './dom.js'
import { sendChoice } from './send-choice.js'
import { showTime } from './show.js'
import { askForToken, onToken } from './sign-in.js'
import { isToken, keepToken, takeToken } from './token.js'

let token = ''
let connection: Connection | undefined

const board = createBoard((id, choice) => sendChoice(token, id, choice, refuse))
onToken(open)
addEventListener('hashchange', () => location.hash.includes('token=') && open(takeToken()))
byId('retry').addEventListener('click', () => connection?.retry())
setInterval(() => board.tick(), 1000)
open(takeToken())

function open(given: string): void {
  connection?.close()
  token = given
  if (token === '') {
    say('Not connected')
    return askForToken()
  }
  if (!isToken(token)) return refuse()
  keepToken(token)
  say('Connecting …')
  connection = connect(token, {
    live(live) {
      byId('sign-in').hidden = true
      say('Live')
      board.show(live)
    },
    lost(reason, heardAt) {
      say(`Connection lost. ${reason} ${toAge(heardAt)}`, true)
    },
    refused: refuse,
  })
}

function refuse(): void {
  connection?.close()
  keepToken('')
  say('Not connected')
  askForToken('The gateway did not accept this token.')
}

/** Says how the connection is. */
function say(text: string, isLost = false): void {
  setText(byId('connection'), text)
  byId('connection').classList.toggle('problem', isLost)
  byId('connection').closest('.top')?.classList.toggle('lost', isLost)
  // a button that goes away gives the focus to something that stays
  if (!isLost && document.activeElement === byId('retry')) byId('main').focus()
  byId('retry').hidden = !isLost
}

/** Of which time the shown data is. */
function toAge(heardAt: number | undefined): string {
  if (heardAt === undefined) return 'There is no data yet.'
  return `The data is from ${showTime(heardAt, Date.now())}.`
}
