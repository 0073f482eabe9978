/** How long a provider wants us to wait, from the headers of its answer or, where it has none, from the body. */
export function retryAfterMs(
  headers: Record<string, string | undefined> = {},
  body = '',
  now = Date.now(),
): number | undefined {
  return (
    toMs(headers['retry-after-ms'], 1) ??
    toMs(headers['retry-after'], 1000) ??
    untilDate(headers['retry-after'], now) ??
    // Gemini tells it in the body: "retryDelay": "34.07s"
    toMs(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1], 1000)
  )
}

function toMs(value: string | undefined, unitMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return
  const ms = Math.ceil(Number(value) * unitMs)
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}

function untilDate(value: string | undefined, now: number): number | undefined {
  // a number is none, though Date.parse takes "-5" for a year
  const date = value && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
