export { redact } from '../reading/redact.js'
