/** Rows as aligned columns of plain text; the first row is the heading, numbers are aligned to the right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(rows)
  const lines = rows.map((row) => alignRow(row, widths, rows).join('  ').trimEnd())
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return lines.join('\n')
}

/** The same rows as a Markdown table. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = rows
  const right = heading.map((_, column) => isNumeric(body, column))
  const rule = right.map((numeric) => (numeric ? '---:' : '---'))
  return [heading, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function alignRow(
  row: readonly string[],
  widths: readonly number[],
  rows: readonly (readonly string[])[],
): string[] {
  return widths.map((width, column) => {
    const cell = row[column] ?? ''
    return isNumeric(rows.slice(1), column) ? cell.padStart(width) : cell.padEnd(width)
  })
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
}

function isNumeric(rows: readonly (readonly string[])[], column: number): boolean {
  return column > 0 && rows.every((row) => /^[\d–—<>≤≥~-]|^$/.test(row[column] ?? ''))
}
