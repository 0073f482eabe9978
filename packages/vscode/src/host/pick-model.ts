import * as vscode from 'vscode'
import { PROVIDERS } from '../settings.js'
import { ask, pick } from './say.js'
import { type SettingsWriter, settingOf } from './settings-source.js'

// a server that does not answer must not keep the list from being shown
const LIST_MS = 3000

interface Choice {
  label: string
  description: string
  model: string | undefined
}

/** Lets the person choose the model of the chat, among all that can be had here. */
export async function pickModel(
  keyOf: (provider: string) => Promise<string | undefined>,
  change: SettingsWriter['change'],
): Promise<void> {
  const { t } = vscode.l10n
  const current = String(settingOf('model'))
  const picked = await pick(listAll(current, keyOf), {
    ...{ title: t('Model of the chat'), placeHolder: t('Current: {0}', current) },
  })
  if (!picked) return
  const model =
    picked.model ?? (await ask(t('Model of the chat'), t('PROVIDER/NAME, such as openai/gpt-5')))
  if (model?.trim()) await change('model', model.trim())
}

async function listAll(
  current: string,
  keyOf: (provider: string) => Promise<string | undefined>,
): Promise<Choice[]> {
  const { t } = vscode.l10n
  const { listChoices } = await import('../engine.js')
  const keys: Record<string, string> = {}
  for (const provider of PROVIDERS) {
    const key = await keyOf(provider)
    if (key !== undefined) keys[provider] = key
  }
  const baseUrl = settingOf('baseUrl') as Record<string, string>
  const signal = AbortSignal.timeout(LIST_MS)
  const [listed, hosted] = await Promise.all([
    listChoices({ env: process.env, keys, baseUrl, signal }),
    hostedModels(),
  ])
  const toChoice = (model: string, description: string): Choice => ({
    ...{ label: model, model, description },
  })
  const others = [
    toChoice('embedded', t('needs no key, and gets stuck on request')),
    ...hosted.map((model) => toChoice(model, t('of the editor'))),
    ...listed.map(({ model }) => toChoice(model, '')),
  ].filter(({ model }) => model !== current)
  return [
    toChoice(current, t('current')),
    ...others,
    {
      ...{ label: t('Other…'), model: undefined },
      description: hosted.length === 0 ? t('the editor itself offers no models') : '',
    },
  ]
}

/** The models that extensions such as Copilot offer to others. */
async function hostedModels(): Promise<string[]> {
  const models = await vscode.lm.selectChatModels()
  return [...new Set(models.map(({ vendor, family }) => `vscode-lm/${vendor}/${family}`))]
}
