import { bare, claude, json, openAi, plain } from './frames.js'
import { each, honest, type Invented, range } from './script.js'
import { COMPANIES, PARTS, PEOPLE } from './words.js'

const domain = 'speech'

export const speechHonest: Invented[] = [
  honest(
    {
      name: 'data sheets with the same safety paragraph',
      domain,
      why: 'The law wants the same paragraph on every sheet; machine and figures are others each time.',
      style: bare,
    },
    (run) => {
      run.prompt(
        'write the data sheets of our 24 machines (table below), each with the safety notice of EN 60204, verbatim',
      )
      each(run.shuffle(PARTS).slice(0, 24), (part, n) =>
        run.step(
          `## ${n + 1}. ${part.replaceAll('_', ' ')} ${run.int(100, 900)}\n\nPower ${run.decimal(0, 9, 1)} kW, ${run.int(40, 900)} kg, ${run.int(60, 84)} dB(A). It is made for ${run.pick(['cutting', 'folding', 'drying', 'mixing'])} ${run.pick(['sheet metal', 'board', 'fruit', 'clay'])}.\n\n**Safety.** Disconnect the machine from the mains before any work on it. Only trained persons may open the housing. Keep this sheet with the machine.\n\n`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'a puzzle reasoned through case by case',
      domain,
      why: 'The thoughts have one form, but each rules out another case, and the last case is the answer.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'who stole the tarts? exactly one of the 12 lies, reason it through completely, ask the witness tool when you need a fact',
      )
      const people = run.shuffle(PEOPLE).slice(0, 12)
      each(people, (person, n) => {
        const other = people[(n + 5) % 12]
        run.think(
          `Suppose that ${person} is the liar. Then ${other} tells the truth, so the tarts were gone at ${run.int(2, 9)} o'clock. ${run.pick(['The baker', 'The gardener', 'The cook'])} saw them ${run.int(10, 50)} minutes later. ${n === 11 ? 'This fits everything that is known.' : `This contradicts statement ${n + 2}. So it is not ${person}.`}`,
        )
        run.step(
          '',
          json(
            'ask_witness',
            { about: person, question: `Where was ${person} at noon?` },
            {
              answer: `${person} was in the ${run.pick(['kitchen', 'garden', 'cellar', 'hall', 'stable'])} with ${other}.`,
            },
          ),
        )
      })
      run.step(`It was ${people[11]}.`)
    },
  ),
  honest(
    {
      name: 'a bingo caller at work',
      domain,
      why: 'The calls are all alike and each number comes once, as the game wants it.',
      style: bare,
    },
    (run) => {
      run.prompt(
        'be our bingo caller, 75 numbers, one line per number w/ the letter, dont stop till all are called',
      )
      each(run.shuffle(range(75)), (n) =>
        run.step(`${'BINGO'[Math.floor(n / 15)]} ${n + 1}! And the next number is...\n`),
      )
    },
  ),
  honest(
    {
      name: 'every row of a form read back aloud',
      domain,
      why: 'A voice agent reads the entries for confirmation; the sentences are alike and the entries are not.',
    },
    (run) => {
      run.prompt('lies mir die anmeldungen einzeln vor und bestätige jede im system')
      each(run.shuffle(PEOPLE).slice(0, 21), (person, n) => {
        run.step(
          `Anmeldung ${n + 1}: ${person}, ${run.int(1, 4)} Personen, ${run.pick(['vegetarisch', 'mit Fisch', 'ohne Angabe'])}. Ich bestätige sie.`,
          plain('confirm_registration', { number: 700 + n }, 'bestätigt'),
        )
      })
    },
  ),
  honest(
    {
      name: 'a draft spoken over with many small wishes',
      domain,
      why: 'The person sends one short wish after another, and the letter is changed each time.',
      style: openAi,
    },
    (run) => {
      const wishes = [
        'shorter',
        'no, longer',
        'more friendly',
        'less friendly',
        'shorter',
        'add the date',
        'remove the date',
        'add the date again, sorry',
        'more formal',
        'ok now in english',
        'back to german',
        'shorter',
        'perfect, send it',
      ]
      const landlord = run.pick(PEOPLE).split(' ')[1]
      const firm = run.pick(COMPANIES)
      run.prompt('schreib einen brief an den vermieter wegen der heizung')
      each(wishes, (wish, n) => {
        run.step(
          wishes[n - 1] === 'ok now in english'
            ? `Dear Mr ${landlord}, the heating has been out for ${2 + n} days. ${firm} could come on Monday.`
            : `${run.pick(['Sehr geehrter Herr', 'Guten Tag Herr', 'Lieber Herr'])} ${landlord}, ${run.pick(['die Heizung ist seit Tagen kalt', 'seit Tagen fällt die Heizung aus', 'bei uns ist es seit Tagen kalt'])}. ${firm} ${run.pick(['könnte am Montag kommen', 'hätte am Montag Zeit'])}.`,
          json('save_draft', { letter: 'heating', version: n + 1 }, { saved: true }),
        )
        run.prompt(wish)
      })
      run.step('It is sent.', json('send_letter', { letter: 'heating' }, { sent: true }))
    },
  ),
]
