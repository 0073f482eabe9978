import type { Call } from './script.js'

/** A page as an accessibility tree shows it: one `role "name"` per line. */
export interface Page {
  url: string
  title: string
  nodes: readonly string[]
}

/** Playwright MCP: what was run, then the page with references counted from `ref`. */
export const playwright = (
  tool: string,
  args: unknown,
  code: string,
  page: Page,
  ref = 2,
): Call => ({
  name: `browser_${tool}`,
  args,
  output: `### Ran Playwright code\n\`\`\`js\n${code}\n\`\`\`\n\n### Page state\n- Page URL: ${page.url}\n- Page Title: ${page.title}\n- Page Snapshot:\n\`\`\`yaml\n${tree(page, ref)}\n\`\`\``,
})

/** Playwright MCP when the action failed. */
export const playwrightError = (tool: string, args: unknown, error: string): Call => ({
  name: `browser_${tool}`,
  args,
  output: `### Result\nError: ${error}`,
  isError: true,
})

/** The reference of the n-th node of a page. */
export const refOf = (index: number, ref = 2) => `e${ref + 1 + index * 2}`

const tree = ({ nodes }: Page, ref: number) =>
  [
    `- generic [ref=e${ref}]:`,
    ...nodes.map((node, index) => `  - ${node} [ref=${refOf(index, ref)}]`),
  ].join('\n')
