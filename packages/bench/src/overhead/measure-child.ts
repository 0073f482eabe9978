// One SDK in a process of its own, as programs have it: what others leave in the caches of the engine is not its cost.
import { measureOverhead } from './measure.js'
import { sdks } from './sdks.js'

const [name, url, rounds] = process.argv.slice(2) as [string, string, string]
const stream = sdks[name]
if (!stream) throw new Error(`there is no SDK ${name}`)
process.send?.(await measureOverhead(stream, url, Number(rounds)))
process.disconnect()
