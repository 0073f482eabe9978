import { formats } from './formats.js'
import { type Environment, type TranscriptLocation, toMachine } from './location.js'

/**
 * The default locations of transcripts on this system, whether or not they exist.
 *
 * @example
 * transcriptLocations(process.env, process.platform, homedir())
 */
export function transcriptLocations(
  env: Environment,
  platform: string,
  home: string,
): TranscriptLocation[] {
  const machine = toMachine(env, platform, home)
  return formats.flatMap(({ name, locations }) =>
    (locations?.(machine) ?? []).map((location) => ({ program: name, ...location })),
  )
}
