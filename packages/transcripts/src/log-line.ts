// what stores of logs put before each line: the time, on GitHub after the names of a job and a step, on GitLab before the
// number and kind of the stream
const STAMP =
  /^\ufeff?(?:[^\t\n{]{0,200}\t[^\t\n{]{0,200}\t\ufeff?)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)? {1,4}(?:\d\d[EO][ +] ?)?(?=[{[])/

/** A line of a log without the time that it was stored with. */
export function withoutStamp(line: string): string {
  const first = line.charCodeAt(0)
  // '{' and '[': most lines need no second look
  return first === 123 || first === 91 ? line : line.replace(STAMP, '')
}

/** Whether a line may be a record of a stream, and not what another program printed in between. */
export const isRecordLine = (line: string): boolean => /^[\s\ufeff]{0,40}[{[]/.test(line)
