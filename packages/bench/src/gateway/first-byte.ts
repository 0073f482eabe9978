import type { Candidate } from './candidates.js'
import { createClient } from './client.js'
import { questionBody, questionName } from './history.js'
import { addTo, type Rounds } from './rounds.js'

let questions = 0

/** Milliseconds until the first byte of a streamed answer, one stream at a time, the candidates in turns. */
export async function measureFirstByte(
  candidates: readonly Candidate[],
  { model, tokens = 0, count }: { model: string; tokens?: number; count: number },
  rounds: number,
): Promise<Rounds> {
  const measured: Rounds = new Map()
  const lanes = candidates.map((candidate) => ({ candidate, client: createClient(candidate) }))
  for (let round = -1; round < rounds; round++) {
    for (let n = 0; n < count; n++) {
      const number = ++questions
      const body = questionBody(number, { model, tokens })
      lanes.push(...lanes.splice(0, 1))
      for (const { candidate, client } of lanes) {
        const answer = await client.send(body, questionName(number))
        if (!answer.body.includes('[DONE]')) throw new Error(`${candidate.name}: a stream was cut`)
        if (round >= 0) addTo(measured, candidate.name, round, answer.firstMs)
      }
    }
  }
  for (const { client } of lanes) client.close()
  return measured
}
