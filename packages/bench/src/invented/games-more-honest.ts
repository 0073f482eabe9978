import { json, openAi, plain } from './frames.js'
import { honest, type Invented, range, times } from './script.js'
import { CITIES } from './words.js'

const domain = 'games'

export const moreGameHonest: Invented[] = [
  honest(
    {
      name: 'a dragon fought with the same blow',
      domain,
      why: 'Attack is the only sensible move; it misses now and then, but the dragon gets weaker and falls.',
      style: openAi,
    },
    (run) => {
      run.prompt('play the dungeon for me and kill the dragon')
      let dragon = run.int(260, 320)
      let knight = 140
      while (dragon > 0) {
        if (knight < 40) {
          knight += 70
          run.step(
            'I need a potion.',
            json(
              'act',
              { action: 'drink potion' },
              { text: 'You feel better.', hp: knight, dragon },
            ),
          )
          continue
        }
        const hit = run.chance(0.25) ? 0 : run.int(6, 15)
        dragon = Math.max(0, dragon - hit)
        knight -= run.pick([0, 4, 7])
        run.step(
          '',
          json(
            'act',
            { action: 'attack dragon' },
            { text: hit ? `You hit the dragon for ${hit}.` : 'You miss.', hp: knight, dragon },
          ),
        )
      }
      run.step('The dragon is dead.')
    },
  ),
  honest(
    {
      name: 'fields of a sea battle shot at',
      domain,
      why: 'Most shots are answered with water, but each is another field and all ships are sunk.',
    },
    (run) => {
      run.prompt('spiel schiffe versenken gegen den bot, du fängst an')
      const each = run.int(9, 12)
      const fields = run.shuffle(range(100)).slice(0, 5 * each)
      let ships = 5
      fields.forEach((field, n) => {
        const name = `${'ABCDEFGHIJ'[field % 10]}${Math.floor(field / 10) + 1}`
        const sunk = n % each === each - 1
        if (sunk) ships--
        run.step(
          '',
          plain(
            'shoot',
            { field: name },
            sunk ? `hit and sunk, ${ships} left` : run.pick(['water', 'water', 'water', 'hit']),
          ),
        )
      })
      run.step('All ships are sunk.')
    },
  ),
  honest(
    {
      name: 'turns of a building game ended',
      domain,
      why: 'The same end of turn each time, and the treasury, the year and the city change with it.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('run my city till 1930, dont go broke, build when money > 5000')
      let money = run.int(1200, 2400)
      times(40, (n) => {
        run.step(
          '',
          json(
            'end_turn',
            {},
            { year: 1890 + n, money, people: 4000 + n * run.int(80, 120), mood: run.int(55, 80) },
          ),
        )
        money += run.int(200, 900)
        if (money < 5000) return
        money -= 4200
        run.step(
          'There is enough to build.',
          json(
            'build',
            { what: run.pick(['school', 'tram', 'market', 'baths']), district: run.pick(CITIES) },
            { ok: true, money },
          ),
        )
      })
      run.step('It is 1930, and the city is solvent.')
    },
  ),
]
