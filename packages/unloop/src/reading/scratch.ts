/** A command line without comments, and without the names of temporary files that it writes its output to. */
export function withoutScratch(command: string): string {
  if (command.length > MAX_COMMAND) return command
  let line = command.includes('#') ? command.replace(COMMENT, '$1').trimEnd() : command
  if (!SCRATCH.test(command)) return line
  for (const [, file = ''] of command.matchAll(WRITTEN)) line = line.replaceAll(file, '/tmp/_')
  return line.replace(/["']\/tmp\/_["']/g, '/tmp/_')
}

// a longer one contains a whole script
const MAX_COMMAND = 2000
/** A comment: everything after a `#` with no quote before it. */
const COMMENT = /^([^\n\r\u2028\u2029"'`#]*\s|)#[^\n]*/gm
const SCRATCH = /\/tmp\/|\/dev\/shm\/|TMPDIR/
const WRITTEN =
  /(?:>\|?|\btee(?: -a)?|\s-o)\s{0,3}["']?((?:(?:\/var)?\/tmp\/|\/dev\/shm\/|\$\{?TMPDIR\}?\/)[\w./$-]{1,80})/g
