import { getNodeValue, type Node } from 'jsonc-parser'
import {
  childOf,
  type Jsonc,
  parseJsonc,
  shapeError,
  valueAt,
  withAdded,
  withoutChild,
  withReplaced,
} from './jsonc.js'

/** Whether a command is one of ours. */
export type IsOurs = (command: string) => boolean

/** The hooks that a file should have. */
export interface Wanted {
  events: Record<string, object>
  top?: Record<string, unknown>
  isOurs: IsOurs
}

/** The text with our entries, each once and up to date, and the keys that were not there before. */
export function withEntries(before: string, path: string, wanted: Wanted) {
  let text = before.trim() === '' ? '{}\n' : before
  const made: string[] = []
  const edit = (change: (file: Jsonc) => string) => {
    text = change(parseJsonc(text, path))
  }
  for (const [key, value] of Object.entries(wanted.top ?? {})) {
    edit((file) => {
      if (valueAt(file.root, key)) return file.text
      made.push(key)
      return withAdded(file, file.root, value, key)
    })
  }
  edit((file) => {
    if (hooksIn(file, path)) return file.text
    made.push('hooks')
    return withAdded(file, file.root, {}, 'hooks')
  })
  for (const event of eventsIn(parseJsonc(text, path), path)) {
    if (event in wanted.events) continue
    const left = withoutEvent(text, path, event, wanted.isOurs)
    text = left.hasRemoved ? withoutEmpty(left.text, path, event) : left.text
  }
  for (const [event, entry] of Object.entries(wanted.events)) {
    edit((file) => {
      const hooks = hooksIn(file, path) as Node
      const list = listIn(file, hooks, event, path)
      if (list) return withEntry(file, list, entry, path, wanted.isOurs)
      made.push(`hooks.${event}`)
      return withAdded(file, hooks, [entry], event)
    })
  }
  return { text, made }
}

/** The text without our entries, and without the lists that they leave empty (of those that we made, if that is known). */
export function withoutEntries(
  before: string,
  path: string,
  isOurs: IsOurs,
  made?: readonly string[],
): string {
  if (before.trim() === '') return before
  const isOurKey = (key: string) => !made || made.includes(key)
  let text = before
  let hasRemoved = false
  for (const event of eventsIn(parseJsonc(text, path), path)) {
    const left = withoutEvent(text, path, event, isOurs)
    text = left.text
    hasRemoved ||= left.hasRemoved
    if (left.hasRemoved && isOurKey(`hooks.${event}`)) text = withoutEmpty(text, path, event)
  }
  if (!hasRemoved) return text
  if (isOurKey('hooks')) text = withoutEmpty(text, path)
  for (const key of made ?? []) {
    if (key.startsWith('hooks')) continue
    const file = parseJsonc(text, path)
    const value = valueAt(file.root, key)
    if (value && !hooksIn(file, path)) text = withoutChild(file, childOf(value))
  }
  return text
}

/** Whether one of our entries is in the text, and which command it runs. */
export function commandsIn(text: string, path: string, isOurs: IsOurs): string[] {
  if (text.trim() === '') return []
  const file = parseJsonc(text, path)
  return eventsIn(file, path)
    .flatMap((event) => handlersIn(listIn(file, hooksIn(file, path) as Node, event, path), isOurs))
    .map(commandOf)
    .filter((command) => command !== undefined)
}

/** The events of which our entries are told, whatever the tool. */
export function eventsWith(text: string, path: string, isOurs: IsOurs): string[] {
  if (text.trim() === '') return []
  const file = parseJsonc(text, path)
  return eventsIn(file, path).filter((event) => {
    const list = listIn(file, hooksIn(file, path) as Node, event, path)
    return handlersIn(list, isOurs).some((handler) => !isLimited(handler))
  })
}

function withEntry(file: Jsonc, list: Node, entry: object, path: string, isOurs: IsOurs): string {
  const [first] = handlersIn(list, isOurs)
  if (!first) return withAdded(file, list, entry)
  if (groupOf(first) === first && groupAround(first) && isLimited(first)) {
    // the group is the person's, and is not told of everything
    const rest = parseJsonc(withoutChild(file, first), path)
    return withEntry(rest, sameNode(rest, list), entry, path, isOurs)
  }
  const { node, value } = asEntry(first, entry)
  const text = isSame(node, value) ? file.text : withReplaced(file, node, value)
  // a second one of ours does nothing but cost time
  const again = parseJsonc(text, path)
  const [, second] = handlersIn(sameNode(again, list), isOurs)
  if (!second) return text
  const less = withoutChild(again, groupOf(second))
  const file2 = parseJsonc(less, path)
  return withEntry(file2, sameNode(file2, list), entry, path, isOurs)
}

/** What of the file is ours: the whole group, or a handler in a group that others share. */
function asEntry(handler: Node, entry: object): { node: Node; value: object } {
  const node = groupOf(handler)
  const [inner] = (entry as { hooks?: object[] }).hooks ?? []
  const isShared = node === handler && groupAround(handler) !== undefined
  return { node, value: isShared && inner ? inner : entry }
}

function withoutEvent(before: string, path: string, event: string, isOurs: IsOurs) {
  let text = before
  for (;;) {
    const file = parseJsonc(text, path)
    const hooks = hooksIn(file, path)
    const [handler] = hooks ? handlersIn(listIn(file, hooks, event, path), isOurs) : []
    if (!handler) return { text, hasRemoved: text !== before }
    text = withoutChild(file, groupOf(handler))
  }
}

function withoutEmpty(text: string, path: string, event?: string): string {
  const file = parseJsonc(text, path)
  const hooks = hooksIn(file, path)
  const node = hooks && event !== undefined ? valueAt(hooks, event) : hooks
  return node && node.children?.length === 0 ? withoutChild(file, childOf(node)) : text
}

function hooksIn(file: Jsonc, path: string): Node | undefined {
  const hooks = valueAt(file.root, 'hooks')
  if (hooks && hooks.type !== 'object')
    throw shapeError(file, hooks, path, '"hooks" to be an object')
  return hooks
}

function listIn(file: Jsonc, hooks: Node, event: string, path: string): Node | undefined {
  const list = valueAt(hooks, event)
  if (list && list.type !== 'array') throw shapeError(file, list, path, `"${event}" to be a list`)
  return list
}

/** The events that have a list; settings of other kinds beside them are left alone. */
const eventsIn = (file: Jsonc, path: string): string[] => [
  ...new Set(
    (hooksIn(file, path)?.children ?? [])
      .filter((property) => property.children?.[1]?.type === 'array')
      .map((property) => String(property.children?.[0]?.value))
      .filter((event) => valueAt(hooksIn(file, path) as Node, event)?.type === 'array'),
  ),
]

/** Our handlers in a list, which has them directly or in groups. */
const handlersIn = (list: Node | undefined, isOurs: IsOurs): Node[] =>
  (list?.children ?? [])
    .flatMap((entry) => {
      const group = entry.type === 'object' ? valueAt(entry, 'hooks') : undefined
      return group?.type === 'array' ? (group.children ?? []) : [entry]
    })
    .filter((handler) => {
      const command = commandOf(handler)
      return command !== undefined && isOurs(command)
    })

function commandOf(handler: Node): string | undefined {
  if (handler.type !== 'object') return
  const command: unknown = (valueAt(handler, 'command') ?? valueAt(handler, 'bash'))?.value
  return typeof command === 'string' ? command : undefined
}

/** The group that a handler is in, where groups are used. */
function groupAround(handler: Node): Node | undefined {
  const group = handler.parent?.parent?.parent
  return group?.parent?.type === 'array' ? group : undefined
}

/** Whether a handler runs for some tools only. */
const isLimited = (handler: Node): boolean =>
  [handler, groupAround(handler)].some((node) => {
    const matcher: unknown = node?.type === 'object' ? valueAt(node, 'matcher')?.value : undefined
    return matcher !== undefined && !ALL.includes(matcher)
  })

const ALL: unknown[] = ['', '*', '.*']

/** The group of a handler if it is alone there, or the handler. */
function groupOf(handler: Node): Node {
  const isAlone = handler.parent?.children?.length === 1
  return (isAlone && groupAround(handler)) || handler
}

const sameNode = (file: Jsonc, list: Node): Node => {
  const event = String(list.parent?.children?.[0]?.value)
  return valueAt(valueAt(file.root, 'hooks') as Node, event) as Node
}

const isSame = (node: Node, value: object) =>
  JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
