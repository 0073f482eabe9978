import type { Effect } from './reading/effect.js'

/** What a person or a host knows of a tool. */
export interface ToolOptions {
  /** what it does, where name and arguments do not tell */
  effect?: Effect
  /** the annotations it declares through MCP: another way to tell what it does */
  annotations?: { readOnlyHint?: boolean }
  /** names of arguments that do not make it another call */
  ignore?: readonly string[]
  /** how often it may come before it counts as a loop, or `always` */
  allow?: number | 'always'
}
