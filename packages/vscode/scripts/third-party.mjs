import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licenses of the packages that are in these bundles, as one text; throws if a package has none. */
export function thirdPartyNotice(metafiles, folder) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.keys(output.inputs))
  const packages = new Map()
  for (const input of inputs) {
    const [, root] = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? []
    if (root) packages.set(root, describe(join(folder, root)))
  }
  const notices = [...new Set(packages.values())].sort()
  return `This extension contains the following packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function describe(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = readdirSync(root).find((one) => /^(license|licence|copying)/i.test(one))
  const text = file ? readFileSync(join(root, file), 'utf8') : ''
  if (!license && text === '') throw new Error(`${name} has no license`)
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}
