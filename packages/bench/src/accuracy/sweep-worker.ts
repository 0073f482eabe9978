import { parentPort, workerData } from 'node:worker_threads'
import { sweepShare } from './sweep.js'

parentPort?.postMessage(await sweepShare(workerData))
