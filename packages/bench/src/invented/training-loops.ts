import { bash, claude, codex, edit, exec, json, openAi, patch, plain } from './frames.js'
import { ticker } from './noise.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'training'

export const trainingLoops: Invented[] = [
  loop(
    {
      name: 'a loss that stays nan',
      domain,
      evidentAt: 15,
      why: 'The input has a nan in it, as the first run says; rates, seeds and norms are changed instead, and the loss is nan each time.',
      style: claude,
    },
    (run) => {
      run.prompt(
        run.pick(['loss is nan, fix it', 'warum ist der loss nan?? bitte beheben und trainieren']),
      )
      const knobs = [
        'lr: 1e-4',
        'lr: 3e-5',
        'lr: 1e-6',
        'grad_clip: 1.0',
        'grad_clip: 0.1',
        'eps: 1e-6',
        'warmup: 1000',
        'amp: false',
        'norm: layer',
        'seed: 7',
        'init: xavier',
        'batch: 16',
        'optimizer: sgd',
      ]
      let before = 'lr: 1e-3'
      run.until(76, (lap) => {
        const knob = run.pick(knobs)
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'A smaller step may help.',
                'This looks like exploding gradients.',
                'Numerical instability; let me change this.',
              ]),
          edit('/srv/conf/train.yaml', before, knob),
        )
        before = knob
        run.step(
          '',
          bash(
            'python train.py --steps 200 | tail -4',
            `warning: 4 nan values in column income of the training data\nstep 0 loss nan (${run.decimal(0.2, 0.9)} s)\nstep 100 loss nan (${run.decimal(11, 19)} s)\nstep 200 loss nan (${run.decimal(22, 39)} s)`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a leaf that is now this and now that',
      domain,
      evidentAt: 10,
      why: 'One picture is labeled maple and oak in turn, and each change is saved.',
      style: openAi,
    },
    (run) => {
      const clock = ticker(run)
      const task = run.int(1000, 9999)
      run.prompt('label the leaves in project herbarium')
      run.until(72, (lap) => {
        const label = cycle(['maple', 'oak'], lap)
        run.step(
          run.pick([
            `On closer inspection this is ${label}.`,
            `Correction: ${label}.`,
            `The lobes speak for ${label}.`,
            '',
          ]),
          json(
            'update_annotation',
            { task, label, confidence: Number(run.decimal(0.5, 0.7)) },
            {
              task,
              label,
              revision: lap + 2,
              updated_at: clock(),
            },
          ),
        )
        if (run.chance(0.3))
          run.step(
            '',
            json('get_image', { task }, { url: `s3://herbarium/${task}.jpg`, sha256: 'c1b2' }),
          )
      })
    },
  ),
  loop(
    {
      name: 'a tool nobody offers, under new arguments',
      domain,
      evidentAt: 9,
      why: 'The answer says that there is no such tool and which there are; only the arguments change.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('Label all 400 rows at once, one by one takes too long')
      run.until(72, (lap) => {
        const from = run.int(0, 380)
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'I will label them in a batch.',
                'Smaller batches should work.',
                'Let me pass them differently.',
              ]),
          plain(
            'label_batch',
            run.pick([
              { rows: [from, from + run.int(5, 50)], label: 'spam' },
              { from, count: run.int(5, 100) },
              { items: [{ row: from, label: run.pick(['spam', 'ham']) }] },
              { csv: `row,label\n${from},ham` },
            ]),
            'label_batch is not a valid tool, try one of [get_row, set_label, list_labels].',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a checkpoint of another shape',
      domain,
      evidentAt: 16,
      why: 'The weights belong to a model of another width; flags and wrappers around the loading never change the error.',
      style: codex,
    },
    (run) => {
      run.prompt('load best.pt in serve.py')
      let before = 'state = load(path)'
      run.until(74, (lap) => {
        const how = run.pick([
          'strict=False',
          'weights_only=True',
          "map_location='cpu'",
          'strict=True',
          'assign=True',
          "mmap=True, map_location='cuda'",
          'weights_only=False',
        ])
        const after = `state = load(path, ${how})  # ${run.pick(['robust', 'fallback', 'compat', 'safer'])}`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['That should ignore the mismatch.', 'I load it another way.', '']),
          patch('serve.py', `-    ${before}\n+    ${after}`),
        )
        before = after
        run.step(
          '',
          exec(
            run,
            'python serve.py --check',
            `RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for head.weight: copying a param with shape torch.Size([10, 512]) from checkpoint, the shape in current model is torch.Size([10, 768]).\n(took ${run.decimal(1, 4)}s, pid ${run.int(1000, 60000)})\n`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a judge model asked until it likes the answer',
      domain,
      evidentAt: 16,
      why: 'The same answer is sent to the judge with other words around it; the score stays at two of five for the same reason.',
      style: openAi,
    },
    (run) => {
      run.prompt('improve the summary until the judge gives at least 4')
      run.until(72, () => {
        run.step(
          run.pick(['', '', 'One more attempt.', 'This version is clearer.']),
          json(
            'score_summary',
            {
              summary: `${run.pick(['Overall', 'In short', 'To sum up', 'Essentially'])}, ${run.pick(['the study shows', 'the authors find', 'results indicate', 'it turns out'])} that sleep ${run.pick(['helps', 'supports', 'benefits', 'improves'])} memory ${run.pick(['in adults', 'among adults', 'for grown-ups'])}.`,
              rubric: 'faithfulness',
            },
            {
              score: 2,
              reason: 'The sample size (n = 38) is missing.',
              model: 'judge-s',
              latency_ms: run.int(300, 2900),
            },
          ),
        )
      })
    },
  ),
]
