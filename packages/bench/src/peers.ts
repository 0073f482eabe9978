import { installPeers } from './published/install.js'

process.exitCode = await installPeers(console.log)
