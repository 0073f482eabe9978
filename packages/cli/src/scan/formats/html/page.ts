/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="dom.asynciterable" />
import type { Amounts } from '@unloop/agent/amounts'
import type { Certainty } from 'unloop'
import type { LoopReport, Place, RunReport, ScanReport, Spent } from '../../run-report.js'

/** What runs in the report. It is written into the file as text, so it uses nothing from outside itself. */
export function page(
  states: Record<Certainty, string>,
  { plural, showCost, showCount, showMs, showTokens }: Amounts,
): void {
  const report = JSON.parse(byId('data').textContent ?? '') as ScanReport
  const PAGE = 100
  const KINDS: Record<string, string> = {
    p: 'request',
    c: 'call',
    a: 'answer',
    e: 'error',
    t: 'text',
    r: 'thought',
    x: 'compaction',
  }
  const LINES: Record<string, string> = {
    began: 'the loop began',
    evident: 'it was evident',
    stopped: 'a guard would have ended it',
  }
  const ENDINGS = {
    finished: 'recovered and finished',
    'in-loop': 'ended in the loop',
    'broke-off': 'broke off later',
    failed: 'failed later',
    aborted: 'was interrupted later',
    limit: 'reached a limit later',
  }
  let matching: RunReport[] = []
  let shown = 0

  const searched = new Map(
    report.runs.map((run) => [
      run,
      [
        run.program,
        run.format,
        run.project,
        run.session,
        run.model,
        run.path,
        ...run.loops.flatMap((loop) => [
          states[loop.certainty],
          loop.detector,
          loop.detail,
          loop.sample,
          loop.tool,
        ]),
      ]
        .join('\n')
        .toLowerCase(),
    ]),
  )

  byId('about').textContent =
    `Scanned ${new Date(report.scannedAt).toLocaleString()}; list prices of ${report.prices.date}. ${
      report.interrupted ? 'It was interrupted; there may be more. ' : ''
    }Nothing of this has left your machine.`
  drawSums()
  drawLegend()
  fill('agent', [...new Set(report.runs.map(agentOf))])
  fill('detector', [
    ...new Set(report.runs.flatMap(({ loops }) => loops.map(({ detector }) => detector))),
  ])
  byId('filters').addEventListener('input', draw)
  byId('filters').addEventListener('submit', (event) => event.preventDefault())
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    byId('search').focus()
  })
  let fold = () => {}
  addEventListener('beforeprint', () => {
    fold()
    fold = unfold()
  })
  addEventListener('afterprint', () => {
    fold()
    fold = () => {}
  })
  new IntersectionObserver(
    (seen) => seen.some(({ isIntersecting }) => isIntersecting) && drawMore(),
  ).observe(byId('more'))
  draw()

  function draw(): void {
    const words = value('search').toLowerCase().split(/\s+/).filter(Boolean)
    const state = value('state')
    matching = report.runs.filter(
      (run) =>
        (state === '' ||
          (state === 'any' && (run.loops.length > 0 || hasTroubles(run))) ||
          stateOf(run) === state) &&
        (value('agent') === '' || agentOf(run) === value('agent')) &&
        (value('detector') === '' ||
          run.loops.some(({ detector }) => detector === value('detector'))) &&
        words.every((word) => searched.get(run)?.includes(word)),
    )
    matching.sort((a, b) =>
      value('order') === 'worst'
        ? weight(b) - weight(a) || (b.startedAt ?? 0) - (a.startedAt ?? 0)
        : (b.startedAt ?? 0) - (a.startedAt ?? 0),
    )
    byId('runs').replaceChildren()
    shown = 0
    drawMore()
    byId('count').textContent =
      `${showCount(matching.length)} of ${plural(report.runs.length, 'run')}`
  }

  function drawMore(): void {
    const next = matching.slice(shown, shown + PAGE)
    byId('runs').append(...next.map(toDetails))
    show(shown + next.length)
  }

  function show(count: number): void {
    shown = count
    byId('more').textContent =
      shown < matching.length ? `${showCount(matching.length - shown)} more below` : ''
  }

  /** Draws and opens all runs that match, for paper; gives back what makes the page as it was. */
  function unfold(): () => void {
    const before = shown
    while (shown < matching.length) drawMore()
    const all = [...document.querySelectorAll<HTMLDetailsElement>('details.run')]
    const closed = all.filter(({ open }) => !open)
    for (const [index, run] of matching.entries()) {
      const details = all[index]
      if (!details || details.open) continue
      details.open = true
      drawBody(details, run)
    }
    return () => {
      for (const details of closed) {
        details.open = false
        details.querySelector('.body')?.remove()
      }
      for (const details of all.slice(before)) details.remove()
      show(before)
    }
  }

  function drawBody(details: HTMLElement, run: RunReport): void {
    if (!details.querySelector('.body')) details.append(toBody(run))
  }

  function toDetails(run: RunReport): HTMLElement {
    const details = element('details', 'run') as HTMLDetailsElement
    const summary = element('summary')
    const head = element(
      'div',
      'head',
      element(
        'span',
        'quiet',
        run.startedAt === undefined ? '' : new Date(run.startedAt).toLocaleString(),
      ),
      element('span', '', agentOf(run)),
      element('span', '', lastPart(run.project ?? run.session ?? run.path)),
      element('span', `state ${stateOf(run) ?? ''}`, toState(stateOf(run))),
      element(
        'span',
        `what ${stateOf(run) ?? ''}`,
        run.loops
          .map(({ detector, tool }) => (tool ? `${detector}: ${tool}` : detector))
          .concat(hasTroubles(run) ? ['part of the guard failed'] : [])
          .join(', '),
      ),
      element('span', 'waste', stateOf(run) === 'certain' ? showSpent(run.wasted) : ''),
    )
    summary.append(head, strip(run))
    details.append(summary)
    // most are never opened
    details.addEventListener('toggle', () => details.open && drawBody(details, run))
    return details
  }

  function toBody(run: RunReport): HTMLElement {
    return element(
      'div',
      'body',
      table([
        ['project', run.project],
        ['model', run.model],
        ['session', run.session],
        ['transcript', run.path],
        ['in all', showSpent(run.spent)],
        ['how it ended', run.loops.length > 0 ? ENDINGS[run.ended] : undefined],
        ['the guard', run.faults.map(({ message }) => message).join('; ')],
        ['events skipped by the guard', run.skipped > 0 ? showCount(run.skipped) : undefined],
      ]),
      ...run.loops.map((loop) => toLoop(run, loop)),
    )
  }

  function toLoop({ unit }: RunReport, loop: LoopReport): HTMLElement {
    return element(
      'section',
      '',
      element('h2', loop.certainty, `${states[loop.certainty]}: ${loop.detector}: ${loop.detail}`),
      table([
        ['what', loop.sample],
        ['times', showCount(loop.count)],
        ['sub-agent', loop.agent],
        ['began', showPlace(unit, loop.began)],
        ['was evident', showPlace(unit, loop.evident)],
        ['would have been stopped', stopOf(unit, loop)],
        ['last seen', showPlace(unit, loop.last)],
        [loop.certainty === 'certain' ? 'wasted' : 'took', showSpent(loop.wasted)],
        ['after it was evident', showSpent(loop.avoidable)],
      ]),
      element(
        'ol',
        'evidence',
        ...loop.evidence.map(({ line, text }) =>
          element('li', '', element('b', '', `${unit} ${line}`), text),
        ),
      ),
    )
  }

  function stopOf(unit: string, { certainty, stopped }: LoopReport): string {
    if (stopped) return showPlace(unit, stopped)
    return certainty === 'likely' ? 'not: it was only likely' : 'not: it ended before'
  }

  /** The course of a run: a box a letter, what was wasted behind it, lines where the loop began and so on. */
  function strip({ timeline: { marks, size }, loops }: RunReport): SVGElement {
    const width = Math.max(1, marks.length)
    const svg = shape('svg', {
      class: 'strip',
      viewBox: `0 0 ${width} 18`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `timeline of ${plural(marks.length * size, 'event')}${loops.map(({ certainty }) => `, ${states[certainty]}`).join('')}`,
    })
    for (const { certainty, began, last } of loops) {
      svg.append(
        shape('rect', {
          class: `wasted ${certainty}`,
          x: began.event / size,
          y: 0,
          height: 18,
          width: Math.max(0.5, (last.event - began.event + 1) / size),
        }),
      )
    }
    for (let from = 0; from < marks.length; ) {
      let to = from + 1
      while (marks[to] === marks[from]) to++
      if (marks[from] !== ' ')
        svg.append(
          shape('rect', { class: marks[from] ?? '', x: from, y: 4, width: to - from, height: 10 }),
        )
      from = to
    }
    for (const loop of loops) {
      for (const name of ['began', 'evident', 'stopped'] as const) {
        const place = loop[name]
        if (!place) continue
        const x = (place.event + 0.5) / size
        const line = shape('line', {
          class: name,
          x1: x,
          x2: x,
          y1: 0,
          y2: 18,
          'vector-effect': 'non-scaling-stroke',
        })
        line.append(titled(LINES[name] ?? ''))
        svg.append(line)
      }
    }
    return svg
  }

  function drawSums(): void {
    const stuck = report.runs.filter((run) => stateOf(run) === 'certain')
    const struggling = report.runs.filter((run) => stateOf(run) === 'likely')
    const wasted = sumOf(stuck.map((run) => run.wasted))
    const rows: [string, string | undefined][] = [
      ['runs', showCount(report.runs.length)],
      [`${states.certain} runs`, showCount(stuck.length)],
      [`${states.likely} runs`, struggling.length > 0 ? showCount(struggling.length) : undefined],
      ['wasted time', wasted.ms ? showMs(wasted.ms) : undefined],
      ['wasted tokens', wasted.tokens > 0 ? showTokens(wasted.tokens) : undefined],
      ['wasted dollars', wasted.cost ? showCost(wasted.cost) : undefined],
      ['wasted events', wasted.tokens > 0 ? undefined : showCount(wasted.events)],
      [
        'files not read in full',
        `${report.files.filter(({ problem, bad }) => bad > 0 || (problem && problem.code !== 'unknown-format')).length || ''}` ||
          undefined,
      ],
      [
        'runs where part of the guard failed',
        `${report.runs.filter(hasTroubles).length || ''}` || undefined,
      ],
    ]
    for (const [name, text] of rows) {
      if (text !== undefined)
        byId('sums').append(element('div', '', element('dt', '', name), element('dd', '', text)))
    }
  }

  function drawLegend(): void {
    for (const [mark, name] of Object.entries(KINDS)) {
      const box = shape('svg', { width: 12, height: 12, 'aria-hidden': 'true' })
      box.append(shape('rect', { class: mark, width: 12, height: 12 }))
      byId('legend').append(element('li', '', box, name))
    }
    for (const [certainty, name] of Object.entries(states)) {
      const box = shape('svg', { width: 12, height: 12, 'aria-hidden': 'true' })
      box.append(shape('rect', { class: `wasted ${certainty}`, width: 12, height: 12 }))
      byId('legend').append(element('li', '', box, name))
    }
    for (const [line, name] of Object.entries(LINES)) {
      const box = shape('svg', { width: 12, height: 12, 'aria-hidden': 'true' })
      box.append(shape('line', { class: line, x1: 6, x2: 6, y1: 0, y2: 12 }))
      byId('legend').append(element('li', '', box, name))
    }
  }

  function fill(id: string, names: string[]): void {
    const options = ['', ...names.sort()].map((name) => {
      const option = element('option', '', name || 'all') as HTMLOptionElement
      option.value = name
      return option
    })
    byId(id).append(...options)
  }

  function table(rows: (readonly [string, string | undefined])[]): HTMLElement {
    return element(
      'table',
      '',
      ...rows.flatMap(([name, text]) => {
        if (text === undefined || text === '') return []
        const heading = element('th', '', name)
        heading.setAttribute('scope', 'row')
        return [element('tr', '', heading, element('td', '', text))]
      }),
    )
  }

  function element(name: string, className = '', ...children: (Node | string)[]): HTMLElement {
    const made = document.createElement(name)
    if (className) made.className = className
    made.append(...children)
    return made
  }

  function shape(name: string, attributes: Record<string, string | number>): SVGElement {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, text] of Object.entries(attributes)) made.setAttribute(key, `${text}`)
    return made
  }

  function titled(text: string): SVGElement {
    const title = shape('title', {})
    title.textContent = text
    return title
  }

  function byId(id: string): HTMLElement {
    return document.getElementById(id) as HTMLElement
  }

  function value(id: string): string {
    return (byId(id) as HTMLInputElement).value
  }

  /** Whether it was stuck, or struggled at most. */
  function stateOf({ loops }: RunReport): Certainty | undefined {
    return loops.some(({ certainty }) => certainty === 'certain') ? 'certain' : loops[0]?.certainty
  }

  function toState(certainty: Certainty | undefined): string {
    return certainty ? states[certainty] : ''
  }

  function hasTroubles({ faults, skipped }: RunReport): boolean {
    return faults.length > 0 || skipped > 0
  }

  function agentOf({ program, format }: RunReport): string {
    return program ?? format
  }

  function lastPart(path: string): string {
    return path.split(/[/\\]/).filter(Boolean).pop() ?? path
  }

  function weight({ wasted: { tokens, ms = 0, events } }: RunReport): number {
    return tokens * 1000 + ms + events
  }

  function sumOf(all: Spent[]): Spent {
    const sum = (pick: (spent: Spent) => number | undefined) =>
      all.reduce((sum, spent) => sum + (pick(spent) ?? 0), 0)
    return {
      events: sum((one) => one.events),
      tokens: sum((one) => one.tokens),
      ms: sum((one) => one.ms),
      cost: sum((one) => one.cost),
    }
  }

  function showPlace(unit: string, { event, line, at, file }: Place): string {
    const when = at === undefined ? '' : `, ${new Date(at).toLocaleString()}`
    return `${file ? `${file} ` : ''}${unit} ${line}, event ${event}${when}`
  }

  function showSpent({ events, ms, tokens, cost }: Spent): string {
    const parts = [plural(events, 'event')]
    if (ms) parts.push(showMs(ms))
    if (tokens > 0) parts.push(`${showTokens(tokens)} tokens`)
    if (cost) parts.push(showCost(cost))
    return parts.join(', ')
  }
}
