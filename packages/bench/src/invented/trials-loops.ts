import { bash, claude, codex, exec, openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'benchmarks'

export const trialLoops: Invented[] = [
  loop(
    {
      name: 'hoping for a better timing',
      domain,
      evidentAt: 25,
      why: 'The unchanged program is measured again and again in the hope of getting under the limit.',
      style: codex,
    },
    (run) => {
      run.prompt('Bring the parser under 40 ms on the benchmark.')
      run.until(125, (lap) =>
        run.step(
          lap % 5
            ? ''
            : run.pick(['Close. Measuring again.', 'That was probably noise.', 'One more run.']),
          exec(
            run,
            'node bench/parse.js',
            `parse x 1000: ${run.decimal(47, 53)} ms (±${run.decimal(0.5, 3)}%)\n`,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a sweep whose settings are ignored',
      domain,
      evidentAt: 14,
      why: 'Whatever the learning rate, the loss is the same to the last digit: the setting is not used.',
      style: claude,
    },
    (run) => {
      run.prompt('Find a learning rate that gets validation loss below 0.3.')
      run.until(126, (lap) =>
        run.step(
          lap % 4 ? '' : 'No improvement, trying the next value.',
          bash(
            `python train.py --lr ${run.decimal(0.00001, 0.1, 5)} --warmup ${run.int(0, 900)} --epochs 3`,
            `epoch 3/3  train_loss 0.4127  val_loss 0.4833\nfinished in ${run.decimal(40, 70, 1)}s`,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'out of memory with other trifles',
      domain,
      evidentAt: 14,
      why: 'The model does not fit the card; logging and seeds do not change that.',
      style: openAi,
    },
    (run) => {
      run.prompt('Fine-tune the 13B model on the local GPU (12 GB).')
      run.until(126, (lap) =>
        run.step(
          lap % 4 ? '' : 'Let me adjust the arguments.',
          plain(
            'bash',
            {
              command: `python finetune.py --model 13b --${run.pick(['seed', 'log-every', 'save-steps', 'eval-steps', 'workers', 'run-id'])} ${run.int(1, 900)}${run.pick(['', ' --fp16', ' --pin-memory', ' --verbose'])}`,
            },
            `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 136.00 MiB. GPU 0 has a total capacity of 11.76 GiB of which ${run.decimal(20, 90)} MiB is free. Process ${run.int(2000, 90000)} has 11.7${run.int(0, 9)} GiB memory in use.`,
            true,
          ),
        ),
      )
    },
  ),
]
