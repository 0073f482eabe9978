// when and how it was published: -20250929, @20250929, -2025-08-07, -05-06, -09-2025, -001, -v1:0; how hard it thinks; [1m]
const EDITION =
  /(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-(?:\d{4}|\d\d)|\d{3,4}|v\d(?::\d)?|latest|preview|minimal|low|medium|high|xhigh|thinking)|\[\w{1,8}\]|:(?:free|beta|thinking))$/

// Cursor's order of the words of a name
const FAMILY_LAST = /(?<=claude-)(\d(?:-\d)?)-(opus|sonnet|haiku|fable)(?=-|$)/

/** `Claude Opus 4.1` is `claude-opus-4-1`. */
export const toKey = (name: string): string => name.toLowerCase().replace(/[_.](?=\d)|\s+/g, '-')

/** Finds a model by its name, whatever prefix it has (`us.anthropic.…`, `openrouter/…`), in any edition. */
export function findModel<T>(models: ReadonlyMap<string, T>, model: string): T | undefined {
  // there is more before a name and behind it, but not that much
  let name = toKey(model.slice(-120))
  for (;;) {
    const found = findWithin(models, name) ?? findWithin(models, name.replace(FAMILY_LAST, '$2-$1'))
    if (found !== undefined) return found
    const shorter = name.replace(EDITION, '')
    if (shorter === name) return
    name = shorter
  }
}

function findWithin<T>(models: ReadonlyMap<string, T>, name: string): T | undefined {
  for (let from = 0; from >= 0; from = after(name, from)) {
    const found = models.get(name.slice(from))
    if (found !== undefined) return found
  }
}

/** Where the next part of a name begins; -1 if there is none. */
function after(name: string, from: number): number {
  const at = name.slice(from).search(/[/.:@]/)
  return at < 0 ? -1 : from + at + 1
}

/** The names a model is found by: with the prefix of its provider and without, with its edition and without. */
export function namesOf(model: string): string[] {
  const key = toKey(model)
  const bare = key.slice(key.lastIndexOf('/') + 1)
  return [key, bare, withoutEdition(bare)]
}

function withoutEdition(name: string): string {
  const shorter = name.replace(EDITION, '')
  return shorter === name ? name : withoutEdition(shorter)
}
