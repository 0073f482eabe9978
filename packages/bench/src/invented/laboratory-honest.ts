import { bash, claude, json, mcp, openAi, plain } from './frames.js'
import { two } from './noise.js'
import { honest, type Invented, range, times } from './script.js'

const domain = 'laboratory'

export const laboratoryHonest: Invented[] = [
  honest(
    {
      name: 'a titration drop by drop',
      domain,
      why: 'The pH hardly moves for a long time, then jumps, and the end point is what is wanted.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt(
        'Titrate the sample with 0.1 M NaOH, 0.2 mL at a time, read the pH after each. Stop at pH 10 and give me the end point.',
      )
      const end = run.int(22, 27)
      times(end + 4, (n) => {
        run.step(
          n % 9 || !n ? '' : `${(n * 0.2).toFixed(1)} mL so far.`,
          mcp('mcp__titrator__dispense', { volume_ml: 0.2 }, 'OK'),
        )
        const ph = 4.2 + n * 0.04 + (n > end - 2 ? (n - end + 2) * 1.3 : 0) + run.int(0, 2) / 100
        run.step(
          '',
          mcp('mcp__titrator__read_ph', {}, `pH ${ph.toFixed(2)}  T 22.${run.int(0, 4)} C  stable`),
        )
      })
      run.step(`The end point is at ${(end * 0.2).toFixed(1)} mL.`)
    },
  ),
  honest(
    {
      name: 'vials of an autosampler measured in turn',
      domain,
      why: 'Each vial is another sample; the instrument is busy for a while every time, and then has a result.',
      style: openAi,
    },
    (run) => {
      const vials = run.int(14, 18)
      run.prompt(
        run.pick([
          `Bitte die Vials 1–${vials} mit Methode COFFEIN_3 messen, nacheinander`,
          `run vials 1-${vials} with method CAFFEINE_3 and give me the areas`,
        ]),
      )
      times(vials, (n) => {
        const vial = n + 1
        run.step('', json('start_run', { vial, method: 'CAFFEINE_3' }, { accepted: true }))
        times(run.int(1, 3), () =>
          run.step('', json('instrument_status', {}, { state: 'RUNNING', error: null })),
        )
        run.step('', json('instrument_status', {}, { state: 'IDLE', error: null }))
        run.step(
          '',
          json(
            'get_result',
            { vial },
            {
              peak: 'caffeine',
              rt_min: Number(run.decimal(3.9, 4.1)),
              area: run.int(20000, 90000),
              sn: run.int(80, 400),
            },
          ),
        )
      })
      run.step('All vials are measured.')
    },
  ),
  honest(
    {
      name: 'an incubator that warms up',
      domain,
      why: 'The temperature rises by a little at each look, stands still now and then, and arrives.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'heat incubator 2 to 37.0 and tell me as soon as it is stable so i can put the plates in',
      )
      run.step('', mcp('set_temperature', { device: 'INC-2', celsius: 37 }, 'setpoint 37.0'))
      let now = run.int(218, 236)
      while (now < 370) {
        run.wait(60)
        run.step(
          '',
          mcp(
            'read_temperature',
            { device: 'INC-2' },
            `${(now / 10).toFixed(1)} C (heating, door closed)`,
          ),
        )
        now += run.pick([0, 4, 6, 7, 9])
      }
      times(3, () => {
        run.wait(60)
        run.step(
          '',
          mcp(
            'read_temperature',
            { device: 'INC-2' },
            `37.${run.int(0, 1)} C (holding, door closed)`,
          ),
        )
      })
      run.step('It is stable at 37 °C.')
    },
  ),
  honest(
    {
      name: 'residuals of a flow solver falling',
      domain,
      why: 'The same line of the log is looked at every minute, and the residual falls to its tolerance.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'starte simpleFoam im fall motorBike und sag bescheid wenn es konvergiert ist (1e-5)',
      )
      run.step(
        '',
        bash(
          'cd motorBike && nohup simpleFoam > log.simpleFoam 2>&1 & echo $!',
          String(run.int(9000, 90000)),
        ),
      )
      let residual = 0.3
      let time = 0
      while (residual > 1e-5) {
        run.wait(60)
        time += run.int(18, 24)
        residual *= run.int(55, 98) / 100
        run.step(
          '',
          bash(
            'sleep 60; grep "Solving for p" motorBike/log.simpleFoam | tail -1; tail -2 motorBike/log.simpleFoam',
            `GAMG:  Solving for p, Initial residual = ${residual.toPrecision(6)}, Final residual = ${(residual / 14).toPrecision(6)}, No Iterations ${run.int(3, 6)}\nExecutionTime = ${time * 3}.${run.int(10, 99)} s  ClockTime = ${time * 3 + 2} s\n`,
          ),
        )
      }
      run.step(
        '',
        bash(
          'tail -3 motorBike/log.simpleFoam',
          `SIMPLE solution converged in ${time} iterations\n\nEnd`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'cells counted field by field',
      domain,
      why: 'Stage, focus, picture and count are repeated, each time for another field of the slide.',
    },
    (run) => {
      run.prompt('count the nuclei on slide 7, 16 fields, grid 4x4')
      const total = range(16).map((n) => {
        const [x, y] = [n % 4, Math.floor(n / 4)]
        run.step('', plain('move_stage', { x: x * 250, y: y * 250 }, 'done'))
        run.step('', plain('autofocus', {}, 'done'))
        run.step('', plain('snap', { file: `s7_${two(n)}.tif` }, 'done'))
        const count = run.int(31, 74)
        run.step(
          '',
          plain('count_nuclei', { file: `s7_${two(n)}.tif`, model: 'dapi-2' }, String(count)),
        )
        return count
      })
      run.step(`There are ${total.reduce((sum, count) => sum + count)} nuclei in 16 fields.`)
    },
  ),
  honest(
    {
      name: 'frost watched through a night',
      domain,
      why: 'The person asked for a look every half hour until sunrise; each reading is another one.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'watch greenhouse sensors every 30 min till 7am, turn on heater if below 3 deg, off above 6. log it',
      )
      let degrees = 74
      let heats = false
      times(22, (n) => {
        run.wait(1800)
        degrees += heats ? run.int(4, 11) : -run.int(2, 9)
        run.step(
          '',
          json(
            'read_sensors',
            { zone: 'greenhouse' },
            {
              t: degrees / 10,
              rh: run.int(78, 93),
              co2: run.int(410, 460),
              at: `${two((20 + Math.floor(n / 2)) % 24)}:${n % 2 ? '30' : '00'}`,
            },
          ),
        )
        const wants = heats ? degrees < 60 : degrees < 30
        if (wants === heats) return
        heats = wants
        run.step(
          heats ? 'Heater on.' : 'Heater off.',
          json('set_relay', { relay: 3, on: heats }, { relay: 3, on: heats }),
        )
      })
      run.step('The night is over; it never froze.')
    },
  ),
]
