import { claude, json, mcp, openAi, plain } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'

const domain = 'design'

export const designHonest: Invented[] = [
  honest(
    {
      name: 'fillets made as large as the solid allows',
      domain,
      why: 'The kernel refuses a radius with the same words each time, but each edge gets its largest one by halving.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt(
        'fillet all 9 outer edges of housing.step with the largest radius that works on each (step .25), max 6',
      )
      times(9, (edge) => {
        const most = run.int(2, 23)
        let [works, fails] = [0, 25]
        while (fails - works > 1) {
          const tried = Math.floor((works + fails) / 2)
          const fits = tried <= most
          if (fits) works = tried
          else fails = tried
          run.step(
            '',
            mcp(
              'fillet',
              { edge: `Edge${edge + 4}`, radius: tried / 4 },
              fits
                ? `Fillet created, solid valid, volume ${run.int(90000, 99000)} mm3`
                : 'BRep_API: command not done',
              !fits,
            ),
          )
          if (fits) run.step('', mcp('undo', {}, 'ok'))
        }
        run.step(
          '',
          mcp(
            'fillet',
            { edge: `Edge${edge + 4}`, radius: works / 4 },
            `Fillet created, solid valid, volume ${run.int(90000, 99000)} mm3`,
          ),
        )
      })
      run.step('All nine edges are rounded.')
    },
  ),
  honest(
    {
      name: 'holes of a flange drilled one at a time',
      domain,
      why: 'Each hole is at another angle, and the program says done each time.',
      style: openAi,
    },
    (run) => {
      const holes = run.pick([24, 32])
      run.prompt(
        `Flansch: ${holes} Bohrungen M8 auf Teilkreis 240, bitte einzeln, damit ich sie später verschieben kann`,
      )
      times(holes, (n) => {
        const angle = (n * 2 * Math.PI) / holes
        run.step(
          '',
          json(
            'add_hole',
            {
              x: Number((120 * Math.cos(angle)).toFixed(3)),
              y: Number((120 * Math.sin(angle)).toFixed(3)),
              thread: 'M8',
              depth: 18,
            },
            'done',
          ),
        )
      })
      run.step(`${holes} holes are in.`)
    },
  ),
  honest(
    {
      name: 'a print bed leveled corner by corner',
      domain,
      why: 'The corners are probed round after round, and the deviation gets smaller until it is under the limit.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'guide me through leveling, you probe, i turn the screws. under 0.02 everywhere please',
      )
      let spread = 0.62
      while (spread > 0.02) {
        each(['front left', 'front right', 'back right', 'back left'], (corner) =>
          run.step('', plain('probe', { corner }, `z = ${(run.int(-100, 100) * spread) / 200}`)),
        )
        if (spread > 0.03)
          run.step(
            '',
            plain(
              'ask_user',
              {
                message: `Please turn the screw ${run.pick(['front right', 'back left', 'back right'])} by ${run.int(5, 170)}° ${run.pick(['clockwise', 'counterclockwise'])}.`,
              },
              run.pick(['done', 'ok', 'did it']),
            ),
          )
        spread *= run.int(48, 66) / 100
      }
      run.step('The bed is level.')
    },
  ),
  honest(
    {
      name: 'sheets exported to PDF',
      domain,
      why: 'Another sheet each time, with the same three commands and the same replies.',
    },
    (run) => {
      run.prompt('export every sheet of building-C.dwg as its own pdf, A1, monochrome')
      const sheets = range(run.int(16, 20)).map((n) => `${run.pick(['A', 'S', 'M'])}-${101 + n}`)
      each(sheets, (sheet) => {
        run.step('', plain('set_layout', { name: sheet }, 'Command: _LAYOUT\nRegenerating layout.'))
        run.step(
          '',
          plain(
            'plot',
            { device: 'DWG To PDF.pc3', style: 'monochrome.ctb', file: `C_${sheet}.pdf` },
            'Effective plotting area:  820.0 wide by 573.5 high\nPlotting viewport 2.\nPlot finished.',
          ),
        )
      })
      run.step(`${sheets.length} sheets are exported.`)
    },
  ),
  honest(
    {
      name: 'a colour matched by eye and number',
      domain,
      why: 'Each trial is rendered and measured, and the distance to the sample falls below one.',
      style: openAi,
    },
    (run) => {
      run.prompt('match the varnish material to the sample photo, delta E < 1')
      let distance = run.int(180, 240) / 10
      while (distance > 1) {
        run.step(
          '',
          json(
            'set_material',
            {
              name: 'varnish',
              hue: run.int(20, 34),
              sat: run.int(40, 70),
              rough: run.int(10, 40) / 100,
            },
            { ok: true },
          ),
        )
        run.step(
          '',
          json(
            'render',
            { camera: 'swatch', samples: 64 },
            { image: `/tmp/r_${run.hex(8)}.png`, seconds: run.int(6, 11) },
          ),
        )
        run.step(
          distance < 3 ? 'Nearly there.' : '',
          json('delta_e', { reference: 'sample.jpg' }, { delta_e: Number(distance.toFixed(2)) }),
        )
        distance *= run.int(62, 96) / 100
      }
      run.step('', json('delta_e', { reference: 'sample.jpg' }, { delta_e: 0.9 }))
      run.step('The colour matches.')
    },
  ),
]
