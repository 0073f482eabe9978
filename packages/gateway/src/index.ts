export { type Config, ConfigError, toConfig } from './config/config.js'
export { readConfig } from './config/read.js'
export type { GatewayOptions } from './config/schema.js'
export { type Gateway, runGateway, startGateway } from './gateway.js'
