/** What many put in at any time and one takes out in order. */
export interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void
  close(): void
}

/** An empty queue. */
export function createQueue<T>(): Queue<T> {
  const items: T[] = []
  let closed = false
  let wake = () => {}
  return {
    push(item) {
      items.push(item)
      wake()
    },
    close() {
      closed = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift() as T
        if (closed) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
