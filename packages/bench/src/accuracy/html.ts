import type { Curve } from './curves.js'
import type { ContenderResult } from './measure.js'
import type { Table } from './tables.js'

export interface Report {
  heading: string
  results: readonly ContenderResult[]
  tables: readonly Table[]
  curves: readonly Curve[]
}

export function makeHtml({ heading, tables }: Report): string {
  return `<!doctype html><title>LoopBench</title><h1>${heading}</h1>${tables.length}`
}
