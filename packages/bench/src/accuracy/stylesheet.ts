/** Two inks and grays, readable in light and dark, without color as the only sign. */
export const stylesheet = `
:root { color-scheme: light dark; --ink: #1c1f23; --paper: #ffffff; --soft: #6b7280; --line: #d8dce2;
  --ours: #0b6bcb; --second: #b4540a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --paper: #14171a; --soft: #9aa3af; --line: #343a42; --ours: #6db3ff; --second: #f2a65a; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 2rem auto; max-width: 1240px; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
p { max-width: 46rem; }
.row { display: flex; flex-wrap: wrap; gap: 1.5rem 2rem; }
figure { margin: 0; } figcaption { font-weight: 600; margin-bottom: .25rem; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .name { text-anchor: end; } svg .tick { text-anchor: middle; font-size: 11px; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .other circle { fill: var(--soft); } svg .other .interval { stroke: var(--soft); stroke-width: 1.5; }
svg .ours circle { fill: var(--ours); } svg .ours .interval { stroke: var(--ours); stroke-width: 2.5; }
svg .ours text { fill: var(--ours); font-weight: 600; }
svg polyline { fill: none; stroke: var(--soft); stroke-width: 1.2; }
svg .ours polyline { stroke: var(--ours); stroke-width: 2.5; }
svg .recall { stroke: var(--ours); stroke-width: 2; }
svg .precision { stroke: var(--second); stroke-width: 2; stroke-dasharray: 5 3; }
svg line.default { stroke: var(--soft); stroke-dasharray: 2 3; } svg text.default { fill: var(--ink); font-weight: 700; }
.key { border-bottom: 3px solid; padding: 0 .2rem; } .key.recall { border-color: var(--ours); }
.key.precision { border-color: var(--second); border-bottom-style: dashed; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
td.none { color: var(--soft); } td.some { font-weight: 600; color: var(--second); } td.all { font-weight: 600; }
`
