/** What the embedded model does in one turn. */
export interface Reply {
  reasoning?: string
  text?: string
  calls?: readonly { name: string; args: Record<string, unknown> }[]
}
