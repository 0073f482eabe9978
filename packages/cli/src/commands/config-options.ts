import type { Command } from 'commander'

/** The options of every command that has a configuration. */
export const configOptions = (command: Command): Command =>
  command
    .option(
      '--config <file>',
      'configuration file (default: unloop.config.* here or in a folder above)',
    )
    .option('--trust', 'trust the configuration found here, just this once')
    .option('--no-trust', 'ignore settings that need your trust')
