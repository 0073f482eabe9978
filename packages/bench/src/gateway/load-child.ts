// Makes load in its own process: asks for streams over many connections at a time and counts those that came whole.
import { questionBody, questionName } from './history.js'
import { message, openWire } from './wire.js'

export interface Load {
  port: number
  headers: Record<string, string>
  connections: number
  /** no connection asks for another stream after that */
  forMs: number
  model: string
  tokens?: number
  /** all questions of a run are different */
  firstQuestion: number
}

export interface Loaded {
  streams: number
  bytes: number
  ms: number
}

process.on('message', async (load: Load) => process.send?.(await run(load)))

async function run(load: Load): Promise<Loaded | string> {
  const { model, tokens = 0 } = load
  let question = load.firstQuestion
  let streams = 0
  let bytes = 0
  const wires = await Promise.all(
    Array.from({ length: load.connections }, () => openWire(load.port)),
  )
  const start = performance.now()
  const ask = () => {
    const number = question++
    const body = questionBody(number, { model, tokens })
    return message(body, { ...load.headers, 'x-unloop-session': questionName(number) })
  }
  try {
    await Promise.all(
      wires.map(async (wire) => {
        do {
          const { status, verdict, tail, ...reply } = await wire.send(ask())
          if (status !== 200) throw new Error(`answered with ${status}`)
          if (verdict !== '' && verdict !== 'go') throw new Error(`the guard said ${verdict}`)
          if (!tail.includes('[DONE]')) throw new Error('a stream was cut')
          streams++
          bytes += reply.bytes
        } while (performance.now() - start < load.forMs)
      }),
    )
  } catch (error) {
    return `${error}`
  } finally {
    for (const wire of wires) wire.close()
  }
  return { streams, bytes, ms: performance.now() - start }
}
