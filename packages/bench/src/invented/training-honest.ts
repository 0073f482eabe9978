import { bash, claude, codex, exec, json, openAi, patch } from './frames.js'
import { ticker, timeOf } from './noise.js'
import { each, honest, type Invented, times } from './script.js'

const domain = 'training'

export const trainingHonest: Invented[] = [
  honest(
    {
      name: 'a loss watched while it falls',
      domain,
      why: 'The same line of the log is read every few minutes, and the loss falls, if with some noise.',
      style: claude,
    },
    (run) => {
      const clock = ticker(run, 170, 190)
      run.prompt(
        run.pick([
          'babysit the run in tmux 2, kill it if the loss explodes, otherwise wait till epoch 40 and eval',
          'guarda el entrenamiento hasta la época 40, si la loss se va a nan lo matas',
        ]),
      )
      times(40, (epoch) => {
        run.wait(180)
        const loss = 2.9 * Math.exp(-epoch / 14) + 0.4 + run.int(-9, 9) / 300
        run.step(
          epoch % 10 === 9 ? `Epoch ${epoch + 1} of 40, it looks healthy.` : '',
          bash(
            'sleep 180; tail -n 1 runs/exp7/train.log',
            `${timeOf(clock())} epoch ${epoch + 1}/40 loss ${loss.toFixed(4)} lr ${(3e-4 * (1 - epoch / 40)).toExponential(2)} ${run.int(410, 440)} img/s mem 21.${run.int(1, 9)}G`,
          ),
        )
      })
      run.step(
        '',
        bash(
          'python eval.py runs/exp7/last.pt',
          `top1 ${run.decimal(71, 78)} top5 ${run.decimal(90, 94)}`,
        ),
      )
      run.step('It is trained and evaluated.')
    },
  ),
  honest(
    {
      name: 'X-ray pictures of weld seams labeled',
      domain,
      why: 'Each picture is another one; most have no defect, and the store confirms them all alike.',
      style: openAi,
    },
    (run) => {
      const count = run.int(30, 38)
      run.prompt(`label the next ${count} images of project welds (ok / pore / crack)`)
      times(count, () => {
        const id = run.int(50000, 99999)
        run.step(
          '',
          json(
            'next_task',
            { project: 'welds' },
            { id, image: `s3://welds/raw/${run.hex(12)}.png`, width: 1024, height: 256 },
          ),
        )
        const label = run.pick(['ok', 'ok', 'ok', 'ok', 'pore', 'crack'])
        run.step(
          label === 'ok' ? '' : `There is a ${label}.`,
          json(
            'submit_annotation',
            {
              task: id,
              label,
              ...(label === 'ok'
                ? {}
                : { box: [run.int(0, 900), run.int(0, 200), run.int(8, 60), run.int(8, 40)] }),
            },
            { status: 'saved' },
          ),
        )
      })
      run.step(`${count} images are labeled.`)
    },
  ),
  honest(
    {
      name: 'comments that are all neutral',
      domain,
      why: 'The verdict is nearly always the same, about another comment each time.',
    },
    (run) => {
      const comments = [
        'the parcel came on Tuesday',
        'the app has a new icon',
        'the opening hours were changed',
        'the invoice has two pages',
        'the colour is called slate',
        'the manual is in three languages',
        'my account was moved to the other shop',
        'the cable is 2 m long',
        'the box was brown',
        'the courier rang twice',
      ]
      run.prompt(
        'classify sentiment of rows 1-36 in comments.csv, one at a time please so I can follow',
      )
      times(36, (n) => {
        const verdict = run.chance(0.85) ? 'neutral' : run.pick(['positive', 'negative'])
        run.step(
          `${verdict[0]?.toUpperCase()}${verdict.slice(1)}.`,
          json(
            'set_label',
            { row: n + 1, label: verdict },
            {
              row: n + 1,
              label: verdict,
              next: {
                row: n + 2,
                text: `${run.pick(comments)}, ${run.pick(comments)} (order ${run.int(1000, 9999)})`,
              },
            },
          ),
        )
      })
      run.step('All 36 rows have a label.')
    },
  ),
  honest(
    {
      name: 'shards downloaded that break off now and then',
      domain,
      why: 'Every shard is another file; some break off and go on from where they stopped.',
      style: codex,
    },
    (run) => {
      run.prompt('Download all 20 shards of the corpus to /data. My line is bad, resume if needed.')
      times(20, (n) => {
        const file = `shard-${String(n).padStart(5, '0')}.tar`
        let got = 0
        while (got < 100) {
          const cut = got < 80 && run.chance(0.35)
          got = cut ? Math.min(97, got + run.int(9, 60)) : 100
          run.step(
            '',
            exec(
              run,
              `wget -c -nv https://data.example/corpus/${file} -P /data`,
              cut
                ? `${got} % of ${file}: Read error at byte ${got * 41_943_040}/4194304000 (Connection reset by peer). Giving up.\n`
                : `2026-09-0${run.int(1, 9)} URL:https://data.example/corpus/${file} [4194304000/4194304000] -> "/data/${file}" [1]\n`,
              cut ? 4 : 0,
            ),
          )
        }
      })
      run.step('All shards are in /data.')
    },
  ),
  honest(
    {
      name: 'memory brought down, change by change',
      domain,
      why: 'It runs out of memory at first, but asks for less after each change and fits in the end.',
      style: codex,
    },
    (run) => {
      const changes = [
        'gradient_checkpointing = true',
        'micro_batch = 2',
        'dtype = "bf16"',
        'optimizer = "adafactor"',
        'seq_len = 3072',
        'cpu_offload = true',
        'attention = "flash"',
        'micro_batch = 1',
        'lora_rank = 16',
        'seq_len = 2048',
      ]
      run.prompt('fit the finetune on my 24G card somehow')
      let need = run.int(6200, 7000)
      each(changes, (change) => {
        run.step(
          '',
          exec(
            run,
            'python train.py --config ft.toml --max-steps 2',
            `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${need} MiB. GPU 0 has a total capacity of 23.65 GiB of which ${run.int(100, 900)} MiB is free. Process ${run.int(2000, 9000)} has ${run.decimal(21, 23)} GiB memory in use.\n`,
            1,
          ),
        )
        need = Math.round((need * run.int(60, 85)) / 100)
        run.step(`Next: ${change}.`, patch('ft.toml', `+${change}`))
      })
      run.step(
        '',
        exec(
          run,
          'python train.py --config ft.toml --max-steps 2',
          `step 1 loss ${run.decimal(1, 2)}\nstep 2 loss ${run.decimal(1, 2)}\npeak memory 22.1 GiB\n`,
        ),
      )
      run.step('It fits now.')
    },
  ),
]
