import { Argument } from 'commander'
import type { CliCommand } from '../commands.js'
import { toBash } from '../completion/bash.js'
import { toFish } from '../completion/fish.js'
import { toWords } from '../completion/words.js'
import { toZsh } from '../completion/zsh.js'
import { EXIT } from '../exit-code.js'
import { toOutput } from '../host.js'
import { loadAll } from '../parse.js'

const shells = { bash: toBash, zsh: toZsh, fish: toFish }

/** `unloop completion`: a script that the shell reads. */
export const completion: CliCommand = {
  configure: (command) =>
    command
      .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
      .addHelpText('after', HELP),

  async run(host, [shell]) {
    const words = toWords(await loadAll(host))
    toOutput(host.stdout, host.env).write(shells[shell as keyof typeof shells](words))
    return EXIT.quiet
  },
}

const HELP = `
  bash   echo 'source <(unloop completion bash)' >> ~/.bashrc
  zsh    unloop completion zsh > "\${fpath[1]}/_unloop"
  fish   unloop completion fish > ~/.config/fish/completions/unloop.fish`
