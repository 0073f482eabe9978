import * as vscode from 'vscode'
import { PROVIDERS } from '../settings.js'
import { ask, pick, say } from './say.js'

const nameOf = (provider: string) => `unloop.key.${provider}`

/** The keys of providers, where the editor keeps secrets. */
export function createKeys(secrets: vscode.SecretStorage) {
  const { t } = vscode.l10n
  return {
    keyOf: (provider: string): Promise<string | undefined> =>
      Promise.resolve(secrets.get(nameOf(provider))),

    /** Asks for a key; an empty one takes the old one away. */
    async ask(): Promise<void> {
      const picked = await pick(
        PROVIDERS.map((label) => ({ label })),
        { title: t('Set API key'), placeHolder: t('Which provider is the key for?') },
      )
      if (!picked) return
      const provider = picked.label
      const key = await ask(
        t('API key for {0}', provider),
        t("It is stored in the editor's secret storage. Leave it empty to remove it."),
        { password: true },
      )
      if (key === undefined) return
      const isRemoved = key.trim() === ''
      if (isRemoved) await secrets.delete(nameOf(provider))
      else await secrets.store(nameOf(provider), key.trim())
      say(
        'info',
        isRemoved
          ? t('The API key for {0} was removed.', provider)
          : t('The API key for {0} was saved.', provider),
      )
    },
  }
}
