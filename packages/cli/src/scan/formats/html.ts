import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toJson } from '../../printable.js'
import { STATES } from '../../words.js'
import { withoutHomes } from '../redact-report.js'
import type { ScanReport } from '../run-report.js'
import { packReport } from './html/page-data.js'

export interface HtmlOptions {
  home: string
  /** leave the names of home folders in paths */
  showRaw: boolean
}

/** The report as one file that needs nothing else: no network, no fonts, no other scripts. */
export function toHtml(report: ScanReport, { home, showRaw }: HtmlOptions): string {
  const script = built('report-page.js')
  const style = built('report-page.css')
  const shown = showRaw ? report : withoutHomes(report, home)
  // what runs and what it looks like is fixed by its hash, whatever the transcripts say
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
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
<title>Where the tokens went – unloop scan</title>
<style>${style}</style>
</head>
<body>
<header class="top">
<p><b>unloop</b> scan</p>
<p id="scanned" class="quiet"></p>
</header>
${BODY}
<script type="application/json" id="data">${toSafeJson(packReport(shown))}</script>
<script>${script}</script>
</body>
</html>
`
}

/** A file that scripts/bundle-page.mjs makes; it lies as deep below dist as this file below src. */
const built = (name: string) =>
  readFileSync(new URL(`../../../dist/${name}`, import.meta.url), 'utf8')

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** JSON that cannot end the element it stands in, nor turn the direction of what follows. */
const toSafeJson = (value: unknown) => toJson(value).replaceAll('<', '\\u003c')

const chart = (id: string, title: string) =>
  `<section class="card" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3><div id="${id}"></div></section>`

const choice = (id: string, name: string, options = '') =>
  `<label>${name} <select id="${id}"><option value="">all</option>${options}</select></label>`

const STATE_OPTIONS = `<option value="certain">${STATES.certain}</option><option value="likely">${STATES.likely}</option><option value="none">neither</option>`

const BODY = `<main>
<div id="overview">
<section class="hero" aria-labelledby="answer">
<h1 id="answer"></h1>
<div id="whole"></div>
<p id="notes" class="quiet"></p>
<dl id="tiles" class="tiles"></dl>
</section>
<search>
<form id="filters" aria-label="Filter everything on this page">
<label class="wide">Search <input type="search" id="search" placeholder="project, tool, text …" aria-keyshortcuts="/" autocomplete="off"></label>
${choice('period', 'Period')}
${choice('project', 'Project')}
${choice('agent', 'Agent')}
${choice('model', 'Model')}
${choice('tool', 'Tool')}
${choice('kind', 'Kind of loop')}
${choice('state', 'State', STATE_OPTIONS)}
</form>
</search>
<p class="chosen"><span id="chips"></span><button type="button" id="clear" class="quiet-button" hidden>Clear all filters</button></p>
<section aria-labelledby="where">
<div class="section-head">
<h2 id="where">Where it went</h2>
<p class="key quiet"><span class="key-spent"></span>spent <span class="key-waste"></span>wasted in loops</p>
<fieldset id="measures"><legend>Measured in</legend><label><input type="radio" name="measure" id="in-dollars" checked>dollars</label><label><input type="radio" name="measure" id="in-tokens">tokens</label></fieldset>
</div>
${chart('by-day', 'By day')}
<div class="grid">
${chart('by-project', 'By project')}
${chart('by-agent', 'By agent')}
${chart('by-model', 'By model')}
${chart('by-tool', 'By tool')}
</div>
</section>
<section aria-labelledby="runs-heading">
<div class="section-head">
<h2 id="runs-heading">Runs</h2>
<p id="count" class="quiet" role="status"></p>
<label>Order <select id="order"><option value="worst">worst first</option><option value="dearest">most expensive first</option><option value="newest">newest first</option></select></label>
</div>
<div id="legend"></div>
<ol id="runs"></ol>
<button type="button" id="more" class="quiet-button"></button>
</section>
<div id="problems"></div>
</div>
<div id="run" hidden>
<nav aria-label="Back"><a href="#runs-heading" class="back">← All runs</a></nav>
<div id="run-content"></div>
</div>
<noscript>This report needs the script that is part of this file.</noscript>
</main>
<footer class="quiet">
<p>Made by <code>npx @unloop/cli scan</code>. Nothing in this file has left your machine.</p>
</footer>`
