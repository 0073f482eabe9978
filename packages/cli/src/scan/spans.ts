/** Stretches of events, each from the event after `after` up to `to`. */
export interface Span {
  after: number
  to: number
}

/** What several stretches cover together. */
export interface Spans {
  /** Adds a stretch; gives the parts of it that were not covered before. */
  add(span: Span): Span[]
}

/** Nothing covered yet. */
export function createSpans(): Spans {
  /** in order, with gaps between them */
  let covered: Span[] = []
  return {
    add({ after, to }) {
      const touching = covered.filter((one) => one.after <= to && one.to >= after)
      const fresh: Span[] = []
      let from = after
      for (const one of touching) {
        if (one.after > from) fresh.push({ after: from, to: one.after })
        from = Math.max(from, one.to)
      }
      if (from < to) fresh.push({ after: from, to })
      const whole = {
        after: Math.min(after, ...touching.map((one) => one.after)),
        to: Math.max(to, ...touching.map((one) => one.to)),
      }
      covered = [
        ...covered.filter((one) => one.to < whole.after),
        whole,
        ...covered.filter((one) => one.after > whole.to),
      ]
      return fresh
    },
  }
}
