// Adds up what the parts of .ci/run reported and ends with `N passed, N failed`. Anything that did not
// run counts as failed: a skipped test, a file without tests, a part without a report.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = process.argv[2]
const total = { passed: 0, failed: 0 }

for (const file of readdirSync(folder).filter((name) => name.endsWith('.code'))) {
  const part = basename(file, '.code')
  const code = Number(readFileSync(join(folder, file), 'utf8'))
  const count = countOf(join(folder, `${part}.json`))
  if (code !== 0 && count.failed === 0) {
    count.failed = 1
    count.notes.push(`ended with exit code ${code}`)
  }
  total.passed += count.passed
  total.failed += count.failed
  console.log(`${part}: ${count.passed} passed, ${count.failed} failed`)
  for (const note of count.notes) console.log(`  ${note}`)
}

if (total.passed === 0) total.failed ||= 1
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed ? 1 : 0

function countOf(path) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, notes: ['wrote no report'] }
  }
  return report.testResults ? countVitest(report) : { notes: [], ...report }
}

function countVitest(report) {
  const count = { passed: 0, failed: 0, notes: [] }
  for (const { name, status, assertionResults } of report.testResults) {
    // a file that fails to load, or has no tests, reports none
    if (assertionResults.length === 0) fail(`${name}: no test ran (${status})`)
    for (const { fullName, status } of assertionResults) {
      if (status === 'passed') count.passed++
      // a todo is a known miss, written down on purpose
      else if (status !== 'todo') fail(`${status}: ${fullName}`)
    }
  }
  if (report.testResults.length === 0) fail('no test files')
  return count

  function fail(note) {
    count.failed++
    count.notes.push(note)
  }
}
