import { bash, claude, codex, exec, openAi, patch, plain } from './frames.js'
import { cycle, honest, type Invented, times } from './script.js'
import { PARTS } from './words.js'

const domain = 'benchmarks'

export const trialHonest: Invented[] = [
  honest(
    {
      name: 'a sweep over settings',
      domain,
      why: 'Each run has other settings and another result, and the best is kept.',
      style: claude,
    },
    (run) => {
      run.prompt('Tune learning rate and batch size, 30 trials.')
      times(30, (n) =>
        run.step(
          n % 10 ? '' : `Trial ${n + 1}.`,
          bash(
            `python train.py --lr ${run.pick(['1e-4', '3e-4', '1e-3', '3e-3', '1e-2'])} --batch ${cycle([16, 32, 64, 128, 256, 512], n)}`,
            `epoch 3/3  train_loss ${run.decimal(0.2, 0.6, 4)}  val_loss ${run.decimal(0.28, 0.7, 4)}\nfinished in ${run.decimal(40, 70, 1)}s`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'thirty measurements as asked',
      domain,
      why: 'The person wants thirty runs to see the spread.',
      style: codex,
    },
    (run) => {
      run.prompt(
        'Run the benchmark 30 times and give me median and quartiles. Do not use a script, the warm-up interferes.',
      )
      times(30, () =>
        run.step('', exec(run, './bench --once', `elapsed ${run.decimal(41, 49, 3)} ms\n`)),
      )
      run.step('The median is 44.9 ms.')
    },
  ),
  honest(
    {
      name: 'speed measured commit by commit',
      domain,
      why: 'Each commit is another one, the figure drifts, and the slow one is found.',
      style: claude,
    },
    (run) => {
      run.prompt('Plot the start-up time over the last 25 commits.')
      times(25, (n) => {
        run.step('', bash(`git checkout -q HEAD~1 && npm run -s build`, ''))
        run.step(
          '',
          bash(
            'hyperfine -N --warmup 3 "node dist/cli.js --version"',
            `Benchmark 1: node dist/cli.js --version\n  Time (mean ± σ):     ${run.decimal(n > 14 ? 60 : 88, n > 14 ? 66 : 95, 1)} ms ±   ${run.decimal(0.5, 2, 1)} ms    [User: ${run.decimal(40, 60, 1)} ms, System: ${run.decimal(8, 14, 1)} ms]`,
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'fuzzing with fifty seeds',
      domain,
      why: 'The person asked for fifty seeds; that all pass is the result.',
      style: openAi,
    },
    (run) => {
      run.prompt('Run the fuzzer with seeds 1 to 50, one each, and report failing seeds.')
      const start = run.int(0, 400)
      times(50, (n) =>
        run.step(
          '',
          plain(
            'bash',
            { command: `./fuzz --seed ${start + n + 1} --runs 10000` },
            'ok: 10000 runs, 0 crashes',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'made faster, edit by edit',
      domain,
      why: 'Between measurements the code changes, and the time goes down on the whole.',
      style: codex,
    },
    (run) => {
      run.prompt('Bring the parser under 20 ms.')
      let time = 52
      for (let n = 0; time > 20; n++) {
        run.step(
          '',
          patch(
            `src/${cycle(PARTS, n)}.rs`,
            `-    ${run.pick(PARTS)}.clone()\n+    &${run.pick(PARTS)}`,
          ),
        )
        time += n % 4 === 2 ? 0.8 : -run.int(1, 4)
        run.step(
          '',
          exec(
            run,
            'cargo bench -q parse',
            `parse                   time:   [${(time - 0.2).toFixed(2)} ms ${time.toFixed(2)} ms ${(time + 0.3).toFixed(2)} ms]\n`,
          ),
        )
      }
    },
  ),
]
