import { createHash } from 'node:crypto'
import { createAmounts } from '@unloop/agent/amounts'
import { STATES } from '../../words.js'
import { withoutHomes } from '../redact-report.js'
import type { ScanReport } from '../run-report.js'
import { page } from './html/page.js'
import { STYLE } from './html/style.js'

export interface HtmlOptions {
  home: string
  /** leave the names of home folders in paths */
  showRaw: boolean
}

/** The report as one file that needs nothing else: no network, no fonts, no other scripts. */
export function toHtml(report: ScanReport, { home, showRaw }: HtmlOptions): string {
  const script = `(${page})(${JSON.stringify(STATES)}, (${createAmounts})())`
  const shown = showRaw ? report : withoutHomes(report, home)
  // what runs and what it looks like is fixed by its hash, whatever the transcripts say
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(STYLE)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>unloop: where the tokens went</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Where the tokens went</h1>
<p id="about"></p>
<dl id="sums"></dl>
</header>
<form id="filters" role="search" aria-label="Filter the runs">
<label>Search <input type="search" id="search" placeholder="project, tool, text … ( / )" autocomplete="off"></label>
<label>Agent <select id="agent"></select></label>
<label>Kind of loop <select id="detector"></select></label>
<label>Order <select id="order">
<option value="worst">worst first</option>
<option value="newest">newest first</option>
</select></label>
<label>Runs <select id="state">
<option value="any">${STATES.certain} or ${STATES.likely}</option>
<option value="certain">${STATES.certain}</option>
<option value="likely">${STATES.likely}</option>
<option value="">all</option>
</select></label>
</form>
<p id="count" role="status"></p>
<ul id="legend" aria-label="Colours of the timelines"></ul>
<main id="runs"></main>
<p id="more"></p>
<noscript>This report needs the script that is part of this file.</noscript>
<script type="application/json" id="data">${toSafeJson(shown)}</script>
<script>${script}</script>
</body>
</html>
`
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** JSON that cannot end the element it stands in. */
const toSafeJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
