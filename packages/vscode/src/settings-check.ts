import type { Ports } from './ports.js'
import { type Problem, readSettings, type Settings } from './settings.js'

/** Reads the settings as they are; what is wrong with them is said once. */
export function createSettingsCheck({ t, log, ...ports }: Ports): () => Promise<Settings> {
  let told = ''
  const describe = ({ setting, message }: Problem) =>
    t('The setting {0} is ignored: {1}', setting, message)
  return async () => {
    const { checkGuard } = await ports.engine()
    const { settings, problems } = readSettings(ports.setting, checkGuard)
    const texts = problems.map(describe)
    if (texts.join('\n') !== told) {
      for (const text of texts) {
        log.warn(text)
        ports.showProblem(text)
      }
    }
    told = texts.join('\n')
    return settings
  }
}
