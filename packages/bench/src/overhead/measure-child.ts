// One SDK in its own process, as in real programs: other SDKs must not affect the engine's caches.
import { measureOverhead } from './measure.js'
import { sdks } from './sdks.js'

const [name, url, rounds] = process.argv.slice(2) as [string, string, string]
const stream = sdks[name]
if (!stream) throw new Error(`there is no SDK ${name}`)
process.send?.(await measureOverhead(stream, url, Number(rounds)))
process.disconnect()
