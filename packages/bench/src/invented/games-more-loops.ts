import { json, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'games'

export const moreGameLoops: Invented[] = [
  loop(
    {
      name: 'words that the parser of an adventure does not know',
      domain,
      evidentAt: 13,
      why: 'The lever is painted on the wall, as the text says; verb after verb is tried on it and nothing happens.',
    },
    (run) => {
      run.prompt('play zorkish and find the treasure')
      run.until(73, (lap) => {
        const command = `${run.pick(['pull', 'push', 'turn', 'use', 'move', 'press', 'grab', 'twist', 'operate', 'activate', 'shove', 'yank'])} ${run.pick(['lever', 'the lever', 'rusty lever', 'lever on wall', 'old lever'])}${run.pick(['', ' with hands', ' hard', ' down', ' left', ' slowly'])}`
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick(['There must be a way to move it.', 'Another verb may work.', '']),
          plain(
            'send_command',
            { command },
            `> ${command}\nThe lever is only painted on the wall.\n\nGallery   Score: 20   Moves: ${31 + lap}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a face of the cube turned there and back',
      domain,
      evidentAt: 15,
      why: 'Every turn is followed by its reverse, so the cube is the same two patterns for ever.',
      style: openAi,
    },
    (run) => {
      run.prompt('solve the cube')
      const face = run.pick(['R', 'U', 'F', 'L'])
      const states = [run.token(54).toUpperCase(), run.token(54).toUpperCase()]
      run.until(74, (lap) =>
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'Now the corner.',
                'This brings the edge into place.',
                'Continuing with the algorithm.',
              ]),
          json(
            'turn',
            { move: lap % 2 ? `${face}'` : face },
            { state: cycle(states, lap), moves: lap + 1, solved: false },
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'potions at full health',
      domain,
      evidentAt: 14,
      why: 'The game says that health is full and the door needs a key; drinking and rattling go on for ever.',
    },
    (run) => {
      run.prompt('get out of the tower')
      run.until(74, () => {
        run.step(
          run.pick(['', 'I should heal first.', '']),
          plain(
            'act',
            { verb: 'drink', object: run.pick(['potion', 'red potion', 'health potion']) },
            'Your health is already full.',
          ),
        )
        run.step(
          '',
          plain(
            'act',
            {
              verb: run.pick(['open', 'kick', 'push', 'hit', 'pull']),
              object: run.pick(['door', 'iron door', 'tower door']),
            },
            'It is locked. You need the iron key.',
          ),
        )
      })
    },
  ),
]
