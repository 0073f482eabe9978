/** How the report looks, in light, in dark and on paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --card: #f6f7f9; --line: #d8dce2; --text: #1c2330; --quiet: #5a6475; --accent: #0b62c4; --stuck: #b3261e; --struggling: #8a5a00;
  --prompt: #7a3fc4; --call: #2f7fd6; --answer: #9bbfe8; --error: #d3483b; --said: #3f9a5b; --thought: #c9a227; --waste: #d3483b33; --likely: #c9a22733;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14181f; --card: #1c222c; --line: #343c4a; --text: #e6eaf0; --quiet: #9aa5b5; --accent: #7db8ff; --stuck: #ff8a80; --struggling: #e0bd4a;
    --prompt: #b794f6; --call: #5aa5f0; --answer: #35567c; --error: #f0705f; --said: #62c384; --thought: #e0bd4a; --waste: #f0705f33; --likely: #e0bd4a33;
  }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.6rem }
#about, #count, #more, .quiet { color: var(--quiet) }
#sums { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 }
#sums div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; min-width: 8rem }
#sums dt { color: var(--quiet); font-size: .85rem }
#sums dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums }
#filters { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: end; padding: .75rem 0; position: sticky; top: 0; background: var(--back); border-bottom: 1px solid var(--line); z-index: 1 }
#filters label { display: grid; font-size: .85rem; color: var(--quiet) }
input, select { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: .35rem; padding: .3rem .5rem }
#search { width: 18rem; max-width: 80vw }
#legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .25rem 0 .75rem; padding: 0; font-size: .85rem; color: var(--quiet) }
#legend svg { vertical-align: -1px; margin-right: .3rem }
details.run { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; background: var(--card); content-visibility: auto; contain-intrinsic-size: auto 5.5rem }
details.run > summary { cursor: pointer; padding: .6rem .9rem; list-style: none; display: grid; gap: .3rem }
details.run > summary::-webkit-details-marker { display: none }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline }
.head .state, .head .what { font-weight: 600; color: var(--stuck) } .head .likely { color: var(--struggling) }
.head .waste { margin-left: auto; font-variant-numeric: tabular-nums }
.body { padding: 0 .9rem .9rem; border-top: 1px solid var(--line) }
.strip { display: block; width: 100%; height: 18px }
.p { fill: var(--prompt) } .c { fill: var(--call) } .a { fill: var(--answer) } .e { fill: var(--error) } .t { fill: var(--said) } .r { fill: var(--thought) } .x { fill: var(--quiet) }
.wasted { fill: var(--waste) } .wasted.likely { fill: var(--likely) } .began, .evident, .stopped { stroke: var(--text); stroke-width: 1.5 } .evident { stroke-dasharray: 3 2 } .stopped { stroke: var(--stuck); stroke-width: 3 }
table { border-collapse: collapse; margin: .4rem 0 } th { text-align: left; font-weight: 500; color: var(--quiet); padding-right: 1rem; vertical-align: top }
ol.evidence { font: 13px/1.45 ui-monospace, monospace; margin: .4rem 0; padding-left: 0; list-style: none; overflow-wrap: anywhere }
ol.evidence b { display: inline-block; min-width: 4.5rem; color: var(--quiet); font-weight: 400; text-align: right; margin-right: .75rem }
h2 { font-size: 1rem; margin: .9rem 0 .2rem; color: var(--stuck) } h2.likely { color: var(--struggling) }
button { font: inherit; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: .35rem; padding: .35rem .8rem; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media print {
  body { max-width: none; padding: 0; font-size: 11px } #filters, #more { display: none }
  details.run { break-inside: avoid; content-visibility: visible } :root { --back: #fff; --card: #fff; --text: #000; --quiet: #444 }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
