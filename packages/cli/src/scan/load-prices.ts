import { readFile, stat } from 'node:fs/promises'
import { listPrices, type PriceList, toPriceList } from 'unloop/prices'
import { UsageError } from '../exit-code.js'

/** The prices in a file, or the list prices we know. */
export async function loadPrices(file: string | undefined): Promise<PriceList> {
  if (file === undefined) return listPrices
  try {
    const text = await readFile(file, 'utf8')
    const { mtime } = await stat(file)
    return toPriceList(JSON.parse(text), { source: file, date: mtime.toISOString().slice(0, 10) })
  } catch (error) {
    throw new UsageError(
      `--prices cannot use ${file}: ${(error as Error).message}. It takes JSON such as { "my-model": { "input_cost_per_token": 3e-6, "output_cost_per_token": 15e-6 } }, in dollars.`,
    )
  }
}
