#!/usr/bin/env node
import { run, tellError } from '../dist/run.js'

// whatever gets this far is ours, and must not look like an answer; leaving gives the terminal back
process.on('uncaughtException', (error) => process.exit(tellError(process, error)))

process.exitCode = await run(process)
