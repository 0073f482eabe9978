import { guardAll } from './guard-all.js'

const { summary } = await guardAll(process.argv[2] as string)
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ events: summary.events, bad: summary.bad, peakBytes: maxRSS * 1024 }))
