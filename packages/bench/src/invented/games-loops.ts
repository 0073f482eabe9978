import { json, mini, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'games'

export const gameLoops: Invented[] = [
  loop(
    {
      name: 'to and fro between two rooms',
      domain,
      evidentAt: 16,
      why: 'The player walks from the hall to the cellar and back and does nothing in either.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Play the adventure and find the golden key.')
      run.until(130, (lap) => {
        const cellar = lap % 2 === 0
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'I will look for the key elsewhere.',
                'Let me explore further.',
                'The key must be nearby.',
              ]),
          plain(
            'act',
            {
              command: cellar ? run.pick(['down', 'go down', 'd']) : run.pick(['up', 'go up', 'u']),
            },
            cellar
              ? `Cellar\nIt is dark and damp here. A locked chest stands in the corner.\n[Score: 10  Moves: ${lap + 14}]`
              : `Hall\nYou are in a wide hall. Stairs lead down.\n[Score: 10  Moves: ${lap + 14}]`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'illegal moves on the same board',
      domain,
      evidentAt: 10,
      why: 'The king is in check; every other move is refused and the position stays.',
      style: openAi,
    },
    (run) => {
      run.prompt('Play black against the engine.')
      run.until(124, () => {
        const move = `${run.pick(['a', 'b', 'c', 'd', 'f', 'g', 'h'])}${run.pick(['7', '6', '5'])}${run.pick(['a', 'b', 'c', 'd', 'f', 'g', 'h'])}${run.pick(['5', '4', '3'])}`
        run.step(
          '',
          json(
            'make_move',
            { move },
            {
              ok: false,
              error: `Illegal move: ${move}. The king on e8 is in check.`,
              fen: 'rnbqkbnr/pppp1Qpp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 3',
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'round a block in a maze',
      domain,
      evidentAt: 26,
      why: 'The same eight fields are walked in a circle without a new field.',
    },
    (run) => {
      run.prompt('Explore the maze with ./maze.sh and draw the map.')
      const moves = ['N', 'N', 'E', 'E', 'S', 'S', 'W', 'W']
      const start = run.int(0, 7)
      run.until(136, (lap) =>
        run.step(
          lap % 5 ? '' : 'THOUGHT: I will go on exploring.',
          mini(`echo "move ${cycle(moves, start + lap)}" > pipe; head -n 1 out`, 'moved'),
        ),
      )
    },
  ),
  loop(
    {
      name: 'push and undo',
      domain,
      evidentAt: 16,
      why: 'The crate is pushed and the push is taken back, and the board is the same two pictures.',
      style: openAi,
    },
    (run) => {
      run.prompt('Solve Sokoban level 12.')
      run.until(128, (lap) => {
        const undo = lap % 2 === 1
        run.step(
          undo ? 'That blocks the crate, taking it back.' : 'I push the crate to the right.',
          plain(
            'sokoban',
            undo ? { action: 'undo' } : { action: 'move', dir: 'R' },
            undo
              ? `#######\n#.  $ #\n# @$ .#\n#######\nmoves: ${lap}`
              : `#######\n#.  $ #\n#  @$.#\n#######\nmoves: ${lap}`,
          ),
        )
      })
    },
  ),
]
