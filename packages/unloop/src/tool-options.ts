import type { Effect } from './reading/effect.js'

/** What a person or a host knows about a tool. */
export interface ToolOptions {
  /** what it does, if its name and arguments do not show it */
  effect?: Effect
  /** its MCP annotations: another way to say what it does */
  annotations?: { readOnlyHint?: boolean }
  /** names of arguments to ignore when calls are compared */
  ignore?: readonly string[]
  /** names of the arguments that say which call it is; all others are ignored */
  identify?: readonly string[]
  /** never reported (`always`), or not before this many repeats */
  allow?: number | 'always'
}
