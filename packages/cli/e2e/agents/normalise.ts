/** Texts of a real run, as they would be on a machine of Ada's: no paths, ids, times or durations of this one. */
export function createNormaliser(folder: string): (text: string) => string {
  const ids = numbered((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
  const times = numbered((n) => new Date(START + n * 1000).toISOString())
  const milliseconds = numbered((n) => String(START + n * 1000))
  const processes = numbered((n) => String(4000 + n))
  const hashes = numbered((n) => String(n).padStart(40, '0'))
  const calls = numbered((n) => `toolu_${n}`)
  const kinds = new Map(
    ['ses', 'msg', 'prt', 'evt', 'per'].map((kind) => [
      kind,
      numbered((n) => `${kind}_${String(n).padStart(6, '0')}`),
    ]),
  )

  return (text) =>
    text
      .replaceAll(`${folder}/home`, '/home/ada')
      .replaceAll(`${folder}/project`, '/home/ada/shop')
      .replaceAll(`${folder}/bin/`, '/usr/local/bin/')
      .replaceAll(`${dashed(folder)}-project`, '-home-ada-shop')
      .replace(/\/tmp\/cc-socks\/\d+/g, '/tmp/cc-socks/1')
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080')
      .replace(/(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, ids)
      .replace(
        /\bsession-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}/g,
        'session-2026-01-01T00-00-00000000',
      )
      .replace(/\d{4}\/\d\d\/\d\d\/rollout-[-\dT]{19}/g, '2026/01/01/rollout-2026-01-01T00-00-00')
      .replace(/\btoolu_\d+_\w+/g, calls)
      .replace(
        /\b(ses|msg|prt|evt|per)_[0-9a-zA-Z]{24,}/g,
        (found, kind: string) => kinds.get(kind)?.(found) ?? found,
      )
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, times)
      .replace(/\b17\d{11}\b/g, milliseconds)
      .replace(/(PGID: )(\d+)/g, (_, name, number) => name + processes(number))
      .replace(/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g, hashes)
      .replace(/("slug":)"[^"]*"/g, '$1"quiet-river"')
      .replace(/("\w*(?:_ms|_time)":)\d+/g, '$11')
}

/** Where two texts of many pages part. */
export function difference(text: string, other = ''): string {
  const at = [...text].findIndex((character, index) => character !== other[index])
  const part = (whole: string) => whole.slice(Math.max(0, at - 40), at + 80)
  return text === other ? '' : `${part(text)} instead of ${part(other)}`
}

/**
 * What agents tell the model of times, process groups and ids of their own. Gemini CLI lists its skills in any order, and qwen-code loses what a
 * command said on a busy machine.
 */
export const withoutTimes = (text: string) =>
  text
    .replace(/<available_skills>.*?<\/available_skills>/g, '')
    .replace(/\\nOutput: [^\\]*(?:\\n[^\\]*)*?\\nError: /g, '\\nOutput: \\nError: ')
    .replace(/(?:\\n)?Process Group PGID: [^\\"<]*/g, '')
    .replace(/Chunk ID: [0-9a-f]+/g, 'Chunk ID: 1')
    .replace(/Wall time: [\d.]+/g, 'Wall time: 1')
    .replace(/"client_metadata":\{(?:"[^"]*":"(?:[^"\\]|\\.)*",?)*\}/g, '"client_metadata":{}')

const START = Date.UTC(2026, 0, 1)

const dashed = (path: string) => path.replace(/[^a-zA-Z0-9]/g, '-')

/** A replacement for each new text, in the order in which they appear. */
function numbered(make: (number: number) => string): (found: string) => string {
  const known = new Map<string, string>()
  return (found) => {
    const made = known.get(found) ?? make(known.size + 1)
    known.set(found, made)
    return made
  }
}
