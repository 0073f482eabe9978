import type { Status } from '../src/protocol.js'

/** Whether the model is the one that gets stuck on request. */
export const isEmbedded = ({ model }: Status): boolean => model.split('/')[0] === 'embedded'
