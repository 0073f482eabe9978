import { bare, json, mini, openAi, plain } from './frames.js'
import { each, honest, type Invented, type Run, range, times } from './script.js'

const domain = 'games'

export const gameHonest: Invented[] = [
  honest(
    {
      name: 'a game of 2048',
      domain,
      why: 'Four moves in ever new order, and the board and score change with each.',
      style: openAi,
    },
    (run) => {
      run.prompt('Play 2048 as far as you get.')
      let score = 0
      times(90, () => {
        score += run.pick([0, 4, 8, 16, 32, 64])
        run.step(
          '',
          plain(
            'move',
            { direction: run.pick(['left', 'down', 'left', 'right', 'up']) },
            `score ${score}\n${range(4)
              .map(() =>
                range(4)
                  .map(() => String(run.pick([0, 0, 2, 4, 8, 16, 32, 64])).padStart(4))
                  .join(''),
              )
              .join('\n')}`,
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'a maze explored',
      domain,
      why: 'Only "moved" and "hit wall" come back, but the agent covers new fields and the map is complete at the end.',
    },
    (run) => {
      run.prompt('Explore the maze with ./maze.sh and write the map to map.txt.')
      explore(run)
      run.step('', mini('./maze.sh E', 'reached exit'))
      run.step('', mini("cat > map.txt <<'EOF'\n########\n#S   #E#\n########\nEOF", ''))
    },
  ),
  honest(
    {
      name: 'a chess game',
      domain,
      why: 'Every move leads to another position.',
      style: openAi,
    },
    (run) => {
      run.prompt('Play a game against the engine.')
      times(44, (n) => {
        const move = `${run.pick(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])}${run.int(1, 8)}${run.pick(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])}${run.int(1, 8)}`
        run.step(
          '',
          json(
            'make_move',
            { move },
            {
              ok: true,
              reply: `${run.pick(['N', 'B', 'R', ''])}${run.pick(['c', 'd', 'e', 'f'])}${run.int(3, 6)}`,
              fen: `${range(8)
                .map(() => rank(run))
                .join('/')} w - - ${n % 5} ${n + 1}`,
            },
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'an adventure walked through',
      domain,
      why: 'Things are taken and doors opened in the same words, but always other things and doors.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Collect everything in the castle, then open the gate.')
      each(
        [
          'lamp',
          'rope',
          'sword',
          'coin',
          'map',
          'ring',
          'book',
          'horn',
          'cup',
          'key',
          'mirror',
          'bell',
          'feather',
          'stone',
          'cloak',
          'shield',
          'flute',
          'candle',
        ],
        (thing, n) => {
          run.step('', plain('act', { command: `take ${thing}` }, 'Taken.'))
          run.step(
            '',
            plain(
              'act',
              { command: run.pick(['north', 'east', 'west', 'south']) },
              n % 4 === 3
                ? "You can't go that way."
                : `${run.pick(['Tower', 'Kitchen', 'Chapel', 'Stable', 'Vault', 'Garden'])} ${n}\nThere is something here.`,
            ),
          )
        },
      )
    },
  ),
  honest(
    {
      name: 'mines uncovered',
      domain,
      why: 'Each field is another one, most answer with a zero, and the field gets smaller.',
      style: openAi,
    },
    (run) => {
      run.prompt('Solve the 8 by 8 minefield.')
      each(run.shuffle(range(54)), (field, n) =>
        run.step(
          '',
          json(
            'reveal',
            { row: Math.floor(field / 8), column: field % 8 },
            { mine: false, neighbors: run.pick([0, 0, 0, 1, 1, 2]), left: 53 - n },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'numbers guessed by halving',
      domain,
      why: 'Only "too high" and "too low" come back, but each guess halves the range, game after game.',
      style: bare,
    },
    (run) => {
      run.prompt('Play eight rounds of guess-the-number between 1 and 1000.')
      times(8, () => {
        const secret = run.int(1, 1000)
        let low = 1
        let high = 1000
        for (let guess = 500; ; guess = (low + high) >> 1) {
          run.step(
            '',
            plain(
              'guess',
              { number: guess },
              guess === secret ? 'Correct!' : guess > secret ? 'Too high.' : 'Too low.',
            ),
          )
          if (guess === secret) break
          if (guess > secret) high = guess - 1
          else low = guess + 1
        }
      })
    },
  ),
]

/** Walks a maze of five by five fields depth first, as a careful player does. */
function explore(run: Run) {
  const seen = new Set(['0,0'])
  const walk = (x: number, y: number) => {
    for (const [name, back, dx, dy] of DIRECTIONS) {
      const next = `${x + dx},${y + dy}`
      if (run.steps > 100 || seen.has(next)) continue
      const open = Math.min(x + dx, y + dy) >= 0 && Math.max(x + dx, y + dy) < 5 && run.chance(0.8)
      run.step(
        run.chance(0.2) ? `THOUGHT: At (${x}, ${y}), trying ${name}.` : '',
        mini(`./maze.sh ${name}`, open ? 'moved' : 'hit wall'),
      )
      if (!open) continue
      seen.add(next)
      walk(x + dx, y + dy)
      run.step('', mini(`./maze.sh ${back}`, 'moved'))
    }
  }
  walk(0, 0)
}

const DIRECTIONS = [
  ['N', 'S', 0, -1],
  ['E', 'W', 1, 0],
  ['S', 'N', 0, 1],
  ['W', 'E', -1, 0],
] as const

const rank = (run: Run) =>
  run.pick(['8', '4p3', 'pp3ppp', '2n2n2', 'r3k2r', '3qP3', 'P1P2PPP', 'R2QKB1R', '5N2', '1b4b1'])
