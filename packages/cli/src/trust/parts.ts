import { createHash } from 'node:crypto'
import type { Config } from '../config/config.js'
import type { ConfigFile } from '../config/find.js'
import { readConfig } from '../config/read.js'
import { oneLine } from '../words.js'

/** Something in a configuration that takes effect only if the person trusts it. */
export interface Part {
  name: PartName
  /** what it would do: "send your key to …" */
  does: string
}

export type PartName = 'code' | 'model' | 'baseUrl' | 'judge'

/** A configuration file, taken apart without running anything. */
export interface Inspected {
  file: ConfigFile
  parts: Part[]
  /** what takes effect without trust */
  harmless: Config
  /** of what needs trust: of code all of it, of JSON these settings */
  hash: string
}

/** Takes a configuration file apart; throws a `UsageError` if it is JSON and not a configuration. */
export async function inspect(file: ConfigFile): Promise<Inspected> {
  if (file.isCode) return { file, parts: [CODE], harmless: {}, hash: sha256(file.content) }
  const { model, baseUrl, judge, ...rest } = await readConfig(file)
  const isHarmless = model === undefined || isEmbedded(model)
  return {
    file,
    parts: partsOf({
      ...(model !== undefined && !isHarmless && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(judge && { judge }),
    }),
    harmless: { ...rest, ...(model !== undefined && isHarmless && { model }) },
    hash: sha256(JSON.stringify([model, baseUrl, judge?.model, judge?.confirm])),
  }
}

const CODE: Part = { name: 'code', does: 'run code with your permissions' }

function partsOf({ model, baseUrl, judge }: Config): Part[] {
  const parts: Part[] = []
  if (model !== undefined) {
    parts.push({ name: 'model', does: `send conversations to the model ${quote(model)}` })
  }
  if (baseUrl !== undefined) {
    const key = model === undefined ? 'your key' : `your key for ${quote(providerOf(model))}`
    parts.push({ name: 'baseUrl', does: `send ${key} and conversations to ${address(baseUrl)}` })
  }
  if (judge) {
    const names = [judge.model, ...(judge.confirm === undefined ? [] : [judge.confirm])]
    const judges = names.map(quote).join(' and ')
    parts.push({ name: 'judge', does: `send conversations to the judge ${judges}` })
  }
  return parts
}

const isEmbedded = (spec: string) => providerOf(spec) === 'embedded'

const providerOf = (spec: string) => spec.trim().split('/', 1)[0] ?? ''

/** An address with its host first: what stands before an @ may look like another one. */
const address = (url: string) => `${new URL(url).host} (${quote(url)})`

// as long as a name or an address usually is
const LENGTH = 120

const quote = (text: string) => oneLine(text, LENGTH)

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
