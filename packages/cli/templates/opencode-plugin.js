// Written by `unloop init`, and removed by `unloop init --remove`.
// Guards opencode against loops: tells unloop what the agent does, and does what it answers.
// Without unloop, or if anything fails here, opencode runs as if this file did not exist.
import { spawn } from 'node:child_process'

const COMMAND = 'unloop hook opencode'

// a hook takes a tenth of a second; the agent must not wait for one that hangs
const LIMIT_MS = 5000

export const Unloop = async ({ client, directory }) => {
  const queues = new Map()
  const seen = new Set()

  /** Tells unloop one event, after those before it in the same session. */
  const tell = (session, event) => {
    const told = (queues.get(session) ?? Promise.resolve()).then(() =>
      ask({ ...event, session, folder: directory }),
    )
    forget(queues)
    queues.set(session, told)
    return told
  }

  const stop = async (session, notice) => {
    const body = { title: 'unloop', message: notice ?? 'The agent is stuck.', variant: 'warning' }
    await quietly(() => client.tui.showToast({ body }))
    await quietly(() => client.session.abort({ path: { id: session } }))
  }

  /** Whether this is the first time that we hear of it. */
  const isNew = (id) => {
    if (seen.has(id)) return false
    forget(seen)
    seen.add(id)
    return true
  }

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const texts = (parts ?? []).filter((part) => part.type === 'text' && !part.synthetic)
      if (texts.length === 0) return
      const text = texts.map((part) => part.text).join('\n')
      await tell(sessionID, { hook: 'prompt', id: message?.id, text })
    },

    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const answer = await tell(sessionID, { hook: 'before', call: callID, tool, args })
      if (answer.stop) await stop(sessionID, answer.notice)
      if (!answer.deny) return
      // opencode reports it as a failed call, which it is not
      seen.add(callID)
      throw new Error(answer.deny)
    },

    'tool.execute.after': async ({ tool, sessionID, callID }, result) => {
      seen.add(callID)
      const output = result?.output ?? textIn(result?.content)
      const answer = await tell(sessionID, { hook: 'after', call: callID, tool, output })
      if (answer.stop) await stop(sessionID, answer.notice)
      const words = answer.deny ?? answer.advice
      if (!words) return
      if (typeof result?.output === 'string') result.output += `\n\n${words}`
      else if (Array.isArray(result?.content)) result.content.push({ type: 'text', text: words })
    },

    'experimental.text.complete': async ({ sessionID }, { text }) => {
      const answer = await tell(sessionID, { hook: 'text', text })
      if (answer.stop) await stop(sessionID, answer.notice)
    },

    'experimental.session.compacting': async ({ sessionID }) => {
      await tell(sessionID, { hook: 'compaction' })
    },

    event: async ({ event }) => {
      if (event?.type !== 'message.part.updated') return
      const part = event.properties?.part
      if (part?.type === 'tool' && part.state?.status === 'error' && isNew(part.callID)) {
        const { callID: call, tool, state } = part
        await tell(part.sessionID, { hook: 'failed', call, tool, output: state.error })
      }
      if (part?.type === 'reasoning' && part.time?.end && isNew(part.id)) {
        const answer = await tell(part.sessionID, { hook: 'reasoning', text: part.text })
        if (answer.stop) await stop(part.sessionID, answer.notice)
      }
    },
  }
}

/** Runs unloop with one event. Whatever goes wrong, the answer is that there is nothing to do. */
const ask = (event) =>
  new Promise((resolve) => {
    const nothing = () => resolve({})
    try {
      const child = spawn(COMMAND, { shell: true, stdio: ['pipe', 'pipe', 'ignore'] })
      const timer = setTimeout(() => {
        child.kill()
        nothing()
      }, LIMIT_MS)
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        stdout += chunk
      })
      child.stdin.on('error', nothing)
      child.on('error', nothing)
      child.on('close', () => {
        clearTimeout(timer)
        resolve(parsed(stdout))
      })
      child.stdin.end(JSON.stringify(event))
    } catch {
      nothing()
    }
  })

const parsed = (text) => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

const textIn = (content) =>
  Array.isArray(content) ? content.map((part) => part?.text ?? '').join('\n') : content

const quietly = async (act) => {
  try {
    await act()
  } catch {
    // a stop that cannot be shown is still a refusal
  }
}

/** Makes room: what is older than a thousand others will not be asked for. */
const forget = (kept) => {
  if (kept.size > 1000) kept.delete(kept.keys().next().value)
}
