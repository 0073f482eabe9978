import type { Command } from 'commander'

/** The options of every command that has a configuration. */
export const configOptions = (command: Command): Command =>
  command
    .option('--config <file>', 'the configuration; by default unloop.config.* from here upwards')
    .option('--trust', 'use all of a configuration found here, this once')
    .option('--no-trust', 'leave out what needs your trust')
