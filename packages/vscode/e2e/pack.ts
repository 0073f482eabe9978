import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Packs the extension once, before the files that install it run side by side. */
export default function pack(): void {
  const script = fileURLToPath(new URL('../scripts/package.mjs', import.meta.url))
  execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: 'pipe' })
}
