// An agent that answers the first prompt with updates: `flood MB` as fast as it can, `steady COUNT` one per millisecond.
// `heard MB` floods as well, and says on stderr when it has heard a megabyte.
const [, , mode, amount] = process.argv
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const toUpdate = (fields) => ({
  method: 'session/update',
  params: { sessionId: 's', update: { ...fields } },
})

function update(at) {
  if (at % 4 < 2) {
    const text = `word${(at * 7919) % 10007} and ${at} `
    return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  }
  if (at % 4 === 2) {
    return {
      sessionUpdate: 'tool_call',
      toolCallId: `call-${at}`,
      title: `cat file-${at}`,
      name: 'shell',
      kind: 'execute',
      status: 'in_progress',
      rawInput: { command: `cat file-${at}.txt` },
    }
  }
  // now and then a file that is longer than the proxy reads
  const lines = at % 1000 === 3 ? 20_000 : 40
  const text = Array.from({ length: lines }, (_, n) => `line ${(at * 31 + n * 17) % 9973} of ${at}`)
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: `call-${at - 1}`,
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: text.join('\n') } }],
  }
}

function end() {
  send({ id: 1, result: { stopReason: 'end_turn' } })
  process.stdin.destroy()
}

let at = 0
let size = 0

function flood() {
  while (size < Number(amount) * 1e6) {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...toUpdate(update(at++)) })}\n`
    size += line.length
    if (!process.stdout.write(line)) return process.stdout.once('drain', flood)
  }
  end()
}

function steady() {
  const sentAt = performance.timeOrigin + performance.now()
  send(toUpdate({ ...update(at++), _meta: { sentAt } }))
  if (at < Number(amount)) setTimeout(steady, 1)
  else end()
}

let heard = 0
process.stdin.on('data', (chunk) => {
  heard += chunk.length
  if (mode === 'heard' && heard > 1e6) process.stderr.write('heard')
})
process.stdin.once('data', mode === 'steady' ? steady : flood)
