import { bash, claude, codex, exec, json, openAi, patch, plain, write } from './frames.js'
import { ticker } from './noise.js'
import { type Invented, loop } from './script.js'

const domain = 'laboratory'

export const laboratoryLoops: Invented[] = [
  loop(
    {
      name: 'an instrument that is switched off',
      domain,
      evidentAt: 12,
      why: 'Nothing answers on the port, whatever the speed, the line end and the patience.',
      style: codex,
    },
    (run) => {
      run.prompt('read the serial number of the multimeter on /dev/ttyUSB0')
      run.until(72, (lap) => {
        const [speed, end, patience] = [
          run.pick([9600, 19200, 38400, 57600, 115200]),
          run.pick(['\\n', '\\r', '\\r\\n']),
          run.int(1, 10) * 250,
        ]
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'Another baud rate may help.',
                'Let me raise the timeout.',
                'I will try other line endings.',
              ]),
          exec(
            run,
            `python3 -c "import pyvisa; r=pyvisa.ResourceManager('@py'); d=r.open_resource('ASRL/dev/ttyUSB0::INSTR', baud_rate=${speed}, read_termination='${end}'); d.timeout=${patience}; print(d.query('${run.pick(['*IDN?', 'SYST:SER?', '*IDN?', 'ID?'])}'))"`,
            `Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n  File "/usr/lib/python3/dist-packages/pyvisa/resources/messagebased.py", line ${run.pick([640, 486])}, in query\n    return self.read()\npyvisa.errors.VisaIOError: VI_ERROR_TMO (-1073807339): Timeout expired before operation completed.\n`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a balance in a draft',
      domain,
      evidentAt: 24,
      why: 'The reading jumps about without a trend and is never stable, with a fan switched on beside it as the first answer says.',
      style: openAi,
    },
    (run) => {
      run.prompt('weigh in 10 g NaCl, wait for a stable reading')
      run.step(
        '',
        json(
          'balance_info',
          {},
          { model: 'XS-204', warning: 'air draft detected: fume hood fan ON' },
        ),
      )
      run.until(74, (lap) =>
        run.step(
          (lap + 1) % 7
            ? ''
            : run.pick(['Not stable yet.', 'Still fluctuating, one more reading.', '']),
          json('read_weight', {}, { grams: Number(run.decimal(9.97, 10.03, 4)), stable: false }),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a solver that blows up at the same step',
      domain,
      evidentAt: 17,
      why: 'Relaxation and schemes are changed again and again, and it dies at the same time of a cell of volume zero.',
      style: codex,
    },
    (run) => {
      run.prompt('Make the pipe case run to 1 s.')
      run.until(76, (lap) => {
        const [key, value] = run.pick([
          ['relaxationFactors.U', run.decimal(0.1, 0.9, 1)],
          ['deltaT', run.pick(['1e-4', '5e-5', '1e-5', '2e-4'])],
          ['divSchemes.div(phi,U)', run.pick(['upwind', 'linearUpwind', 'limitedLinear 1'])],
          ['nCorrectors', run.int(1, 5)],
          ['maxCo', run.decimal(0.1, 0.9, 1)],
        ] as const)
        run.step(
          (lap + 1) % 2
            ? ''
            : run.pick([
                'I will make it more stable.',
                'Lowering this should help.',
                'Another setting then.',
              ]),
          patch(
            `system/${run.pick(['fvSolution', 'fvSchemes', 'controlDict'])}`,
            `+    ${key} ${value};`,
          ),
        )
        run.step(
          '',
          exec(
            run,
            'checkMesh | tail -3; pimpleFoam 2>&1 | tail -6',
            ` ***Zero or negative cell volume detected. Minimum negative volume: 0, Number of negative volume cells: 1\nFailed 1 mesh checks.\nTime = 0.0004\nPIMPLE: iteration 1\n#0  Foam::error::printStack(Foam::Ostream&) at ??:?\n#1  Foam::sigFpe::sigHandler(int) at ??:?\nFloating point exception (core dumped)  [pid ${run.int(2000, 60000)}]\n`,
            136,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'sleeping for a job that has died',
      domain,
      evidentAt: 14,
      why: 'The accounting said after a minute that the job failed; the empty queue and the old file are looked at ever since.',
      style: claude,
    },
    (run) => {
      const job = run.int(200000, 999999)
      const clock = ticker(run, 100, 400)
      run.prompt('submit relax.sbatch and give me the final energy when its done, takes ~2h')
      run.step('', bash('sbatch relax.sbatch', `Submitted batch job ${job}`))
      run.step(
        '',
        bash(
          `sacct -j ${job} --format=State,ExitCode,Elapsed`,
          `     State ExitCode    Elapsed\n---------- -------- ----------\n    FAILED      2:0   00:00:41`,
        ),
      )
      run.until(74, (lap) => {
        const pause = run.pick([60, 120, 300, 600])
        run.wait(pause)
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'The job needs more time.',
                'Still running, I wait longer.',
                "I'll check again in a few minutes.",
              ]),
          bash(
            `sleep ${pause}; date; squeue -j ${job}; tail -n 1 slurm-${job}.out`,
            `${clock()}\n             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\nmpirun: command not found`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a new script for the same unreadable file',
      domain,
      evidentAt: 15,
      why: 'The spectrum is a truncated file of 512 bytes; each program under a new name ends with the same error.',
      style: claude,
    },
    (run) => {
      run.prompt('plot spectrum_0412.h5')
      const names = [
        'plot',
        'plot_spectrum',
        'read_h5',
        'show',
        'spectrum_plot',
        'quick',
        'load_and_plot',
        'convert',
        'h5_to_png',
        'final',
      ]
      run.until(74, (lap) => {
        const file = `/data/${run.pick(names)}_${run.pick(['v', 'try', ''])}${lap}.py`
        const reader = run.pick([
          'h5py.File(path)',
          'pd.read_hdf(path)',
          'tables.open_file(path)',
          'xr.open_dataset(path)',
          "h5py.File(path, 'r', driver='core')",
        ])
        run.step(
          (lap + 1) % 2
            ? ''
            : run.pick([
                'Let me write a more robust script.',
                'I will use another library.',
                'A cleaner version:',
              ]),
          write(
            file,
            `path = 'spectrum_0412.h5'\ndata = ${reader}\nprint(list(data))\n# ${run.hex(6)}\n`,
          ),
        )
        run.step(
          '',
          bash(
            `python ${file}`,
            `Traceback (most recent call last):\n  File "${file}", line ${run.int(2, 19)}, in <module>\n    data = ${reader}\nOSError: Unable to synchronously open file (truncated file: eof = 512, sblock->base_addr = 0, stored_eof = 48211036)`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a pump primed for ever',
      domain,
      evidentAt: 18,
      why: 'The bottle is empty, as the pressure and the message say; purge, start and stop go round.',
    },
    (run) => {
      run.prompt('get the hplc pump going, flow 1.0')
      run.until(75, () => {
        run.step(
          '',
          plain(
            'pump_purge',
            { seconds: run.pick([30, 60, 90, 120]) },
            `purged, pressure ${run.decimal(0, 0.4, 1)} bar`,
          ),
        )
        run.step(
          '',
          plain(
            'pump_start',
            { flow: Number(run.decimal(0.2, 1, 1)) },
            `WARNING E44 no solvent in line A (reservoir A level 0 %)\npressure ${run.decimal(0, 0.4, 1)} bar, pump stopped`,
          ),
        )
        if (run.chance(0.4))
          run.step(
            run.pick(['Priming again.', 'There may be air in the line.']),
            plain('pump_stop', {}, 'already stopped'),
          )
      })
    },
  ),
]
