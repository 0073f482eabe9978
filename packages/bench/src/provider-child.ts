// A provider in its own process, so that its cost is not counted as the agent's.
import { startProvider } from '@unloop/testing'
import { prose } from './prose.js'
import { createRandom } from './random.js'

const [seed, length] = process.argv.slice(2).map(Number) as [number, number]
const { url } = await startProvider(() => ({ text: prose(createRandom(seed), length) }))
process.send?.(url)
