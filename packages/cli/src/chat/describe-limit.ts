import { plural, showCount } from 'unloop/words'

/** Why a request ended without an answer; a request that was continued has taken more turns than it may at once. */
export const describeLimit = ({ turns, limit }: { turns: number; limit: number }): string =>
  turns > limit
    ? `ended after ${plural(limit, 'more turn')}, the limit; this request has taken ${showCount(turns)} so far`
    : `ended after ${plural(turns, 'turn')}, the limit`
