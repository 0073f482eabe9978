import { readFile, stat } from 'node:fs/promises'
import { listPrices, type PriceList, toPriceList } from 'unloop/prices'
import { UsageError } from '../exit-code.js'

/** The prices in a file, and the list prices we know for all that it does not have. */
export async function loadPrices(file: string | undefined): Promise<PriceList> {
  if (file === undefined) return listPrices
  try {
    const text = await readFile(file, 'utf8')
    const { mtime } = await stat(file)
    const own = toPriceList(JSON.parse(text), {
      source: `${file}, else ${listPrices.source} of ${listPrices.date}`,
      date: mtime.toISOString().slice(0, 10),
    })
    return { ...own, priceOf: (model) => own.priceOf(model) ?? listPrices.priceOf(model) }
  } catch (error) {
    throw new UsageError(
      `--prices cannot use ${file}: ${(error as Error).message}. It takes JSON such as { "my-model": { "input_cost_per_token": 3e-6, "output_cost_per_token": 15e-6 } }, in dollars.`,
    )
  }
}
