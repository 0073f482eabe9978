import type { ContextPart } from './item.js'

/** What goes along with the next message: what the editor shows, less what the person took out. */
export function createOffer(shown: () => ContextPart[]) {
  const removed = new Set<string>()
  return {
    remove(id: string): void {
      removed.add(id)
    },
    parts(): ContextPart[] {
      const parts = shown()
      // what was away may come again
      for (const id of removed) if (!parts.some((part) => part.id === id)) removed.delete(id)
      return parts.filter(({ id }) => !removed.has(id))
    },
  }
}
