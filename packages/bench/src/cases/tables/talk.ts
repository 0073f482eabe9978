/** What agents say between their calls; `{x}` is replaced by something of the run. */
export const beforeReading = [
  'Let me look at {x} first.',
  "I'll open {x} to see how it is put together.",
  'The relevant code should be in {x}.',
  'Next, {x}.',
  'I want to understand {x} before changing it.',
  'THOUGHT: the traceback points to {x}, so I will read it.',
  'Checking {x} now.',
  'Now I need to see what {x} does with its arguments.',
  'To be sure, I will view {x}.',
] as const

export const beforeEditing = [
  'I will change {x} so that the empty case is handled.',
  'The fix belongs in {x}.',
  'Applying the change to {x}.',
  'Let me update {x} accordingly.',
  'This needs a guard clause in {x}.',
  'I can now write the new version of {x}.',
  'THOUGHT: {x} compares the wrong field; I will correct that.',
  'One more adjustment in {x}.',
] as const

export const beforeTesting = [
  'Running the tests to check.',
  'Let me verify that with the test suite.',
  'Now the tests again.',
  'I will run the suite to see where we are.',
  'THOUGHT: verify the change before going on.',
  'Let us see whether that helped.',
  'Time to confirm it works.',
  'Checking that nothing else broke.',
] as const

export const beforeTrying = [
  'Let me try that again.',
  "I'll try once more.",
  'Trying again.',
  'Let me retry this.',
  'I will attempt it another time.',
  'One more try.',
  'Let me run this again to be sure.',
  'Perhaps it works now.',
  'Let me check again.',
  'I should verify this.',
] as const

export const requests = [
  'Fix the failing tests in {x}.',
  'Why does {x} return the wrong value for empty input? Please fix it.',
  'Add support for time zones to {x}.',
  'Refactor {x} so that it no longer depends on global state.',
  'There is a bug report: {x} crashes when the list is empty. Reproduce and fix.',
  'Please review {x} and improve the error messages.',
  'Upgrade the dependency used by {x}.',
  'Write a short report on how {x} works.',
  'Make the build pass again; the error is near {x}.',
] as const

export const searchWords = [
  'deprecated',
  'timeout',
  'retry policy',
  'default encoding',
  'connection pool',
  'rate limit',
  'feature flag',
  'null check',
  'schema version',
  'rollback',
  'off-by-one',
  'locale fallback',
  'thread safety',
  'memory leak',
  'cache key',
  'trailing slash',
  'unicode normalisation',
] as const
