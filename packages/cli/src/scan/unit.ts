import { detectFormat, formats } from '@unloop/transcripts'
import type { Place, RunReport, Unit } from './run-report.js'

/** What the records of a transcript are, by its format and, where that does not tell, by its beginning. */
export async function unitOf(path: string, name: string): Promise<Unit> {
  const format = formats.find((one) => one.name === name)
  if (format?.container === 'database') return 'row'
  if (format?.container === 'folder') return 'file'
  const [only, other] = format?.layouts ?? []
  const layout = other === undefined ? only : ((await detectFormat(path)).layout ?? only)
  return layout === 'document' ? 'element' : 'line'
}

/** A place as people and editors write it: `a.jsonl:12`, `a.json, element 12`. */
export function showPlace({ path, unit }: Pick<RunReport, 'path' | 'unit'>, place: Place): string {
  const { line, file } = place
  if (unit === 'line') return `${file ?? path}:${line}`
  return unit === 'file' && file !== undefined ? file : `${path}, ${unit} ${line}`
}
