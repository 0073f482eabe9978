const CELL = { width: 8.43, height: 17, font: 14 }
const MARGIN = 16

interface Style {
  colour: string
  bold: boolean
  dim: boolean
}

interface Piece extends Style {
  text: string
  column: number
}

/** A picture of a screen that was captured with its colors; the title is for those who cannot see it. */
export function toSvg(screen: string, title: string): string {
  const lines = toLines(screen)
  const columns = Math.max(...lines.map(widthOf))
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN)
  const height = lines.length * CELL.height + 2 * MARGIN
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#14171c"/>`,
    `<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.font}" fill="${COLOURS.get(39)}">`,
    ...lines.flatMap((pieces, row) => pieces.map((piece) => toText(piece, row))),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** The words of such a picture, a line for each row that has any. */
export function wordsOf(svg: string): string {
  const rows = new Map<string, string>()
  for (const [, y = '', text = ''] of svg.matchAll(/ y="(\d+)"[^>]*>([^<]*)<\/text>/g)) {
    rows.set(y, `${rows.get(y) ?? ''} ${text.trim()}`)
  }
  return [...rows.values()].join('\n')
}

const COLOURS = new Map([
  [31, '#ff7b72'],
  [32, '#7ee787'],
  [33, '#e3b341'],
  [34, '#79c0ff'],
  [35, '#d2a8ff'],
  [36, '#76e3ea'],
  [39, '#e6edf3'],
])

const PLAIN: Style = { colour: COLOURS.get(39) ?? '', bold: false, dim: false }

/** A style holds until it is changed, over the ends of lines too. */
function toLines(screen: string): Piece[][] {
  let style = PLAIN
  return screen
    .trimEnd()
    .split('\n')
    .map((line) => {
      let column = 0
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal says it
      return line.split(/(\x1b\[[\d;]*m)/).flatMap((part) => {
        if (part.startsWith('\x1b')) {
          style = part.slice(2, -1).split(';').map(Number).reduce(change, style)
          return []
        }
        const piece = { ...style, text: part, column }
        column += [...part].length
        return part.trim() ? [piece] : []
      })
    })
}

function change(style: Style, code: number): Style {
  if (code === 0) return PLAIN
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  return { ...style, colour: COLOURS.get(code) ?? style.colour }
}

const widthOf = (pieces: Piece[]) => {
  const last = pieces.at(-1)
  return last ? last.column + [...last.text.trimEnd()].length : 0
}

/** Its length is given, so that columns line up in every font. */
function toText({ text, column, colour, bold, dim }: Piece, row: number): string {
  const shown = text.trim()
  const from = column + text.length - text.trimStart().length
  const attributes = [
    `x="${(MARGIN + from * CELL.width).toFixed(1)}"`,
    `y="${MARGIN + row * CELL.height + CELL.font}"`,
    `textLength="${([...shown].length * CELL.width).toFixed(1)}"`,
    ...(colour === PLAIN.colour ? [] : [`fill="${colour}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
  ]
  return `<text ${attributes.join(' ')} xml:space="preserve">${escapeXml(shown)}</text>`
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
