import type { Ending, LoopReport } from '../src/scan/run-report.js'

/** A loop for made-up reports; `%` in its texts is the number of the lap. */
export interface MadeUpLoop {
  program: string
  project: string
  certainty: LoopReport['certainty']
  detector: string
  tool?: string
  detail: string
  advice: string
  count: number
  lapMs: number
  lapTokens: number
  ended: Ending
  lap: [tool: string, call: string, answer: string][]
}

const MINUTE = 60_000

export const LOOPS: MadeUpLoop[] = [
  {
    program: 'claude-code',
    project: 'storefront',
    certainty: 'certain',
    detector: 'call-cycle',
    tool: 'Edit',
    detail:
      'Edit and Bash were called in the same order 71 times, and every time the test failed the same way',
    advice:
      'You go back and forth between the same calls and nothing changes. Find out why the test fails before you edit again.',
    count: 71,
    lapMs: 2.7 * MINUTE,
    lapTokens: 148_000,
    ended: 'in-loop',
    lap: [
      [
        'Edit',
        '{"file_path":"src/cart/total.ts","old_string":"Math.round(sum)","new_string":"Math.round(sum * 100) / 100"}',
        'answer: The file src/cart/total.ts has been updated.',
      ],
      [
        'Bash',
        '{"command":"npm test -- cart"}',
        'error: FAIL src/cart/total.test.ts > adds the discount: expected 19.98 to be 19.99 (attempt %, 1 failed, 41 passed)',
      ],
    ],
  },
  {
    program: 'codex',
    project: 'billing-api',
    certainty: 'certain',
    detector: 'repeated-call',
    tool: 'write_stdin',
    detail:
      'write_stdin was called 44 times in a row with the same arguments and always returned the same answer',
    advice:
      'You already made this exact call. Use the answer you have, or change the arguments or the tool.',
    count: 44,
    lapMs: 0.8 * MINUTE,
    lapTokens: 260_000,
    ended: 'aborted',
    lap: [
      [
        'write_stdin',
        '{"session_id":7,"chars":"y\\n"}',
        'answer: Migrate the ledger table? [y/N] invalid choice',
      ],
    ],
  },
  {
    program: 'gemini-cli',
    project: 'search-index',
    certainty: 'certain',
    detector: 'failing',
    tool: 'replace',
    detail: 'replace failed 23 times with the same error, for other texts each time',
    advice:
      'Every attempt failed for the same reason. Read the file again before you replace anything in it.',
    count: 23,
    lapMs: 0.6 * MINUTE,
    lapTokens: 240_000,
    ended: 'finished',
    lap: [
      [
        'replace',
        '{"file_path":"lib/tokenize.py","old_string":"def tokenize(text, limit=%):","new_string":"def tokenize(text):"}',
        'error: Failed to edit, 0 occurrences found for old_string in lib/tokenize.py.',
      ],
    ],
  },
  {
    program: 'claude-code',
    project: 'docs-site',
    certainty: 'likely',
    detector: 'same-answer',
    tool: 'Grep',
    detail: 'Grep was called 8 times with other patterns and found nothing each time',
    advice:
      'None of these searches found anything. What you look for may have another name, or may not be here.',
    count: 8,
    lapMs: 0.2 * MINUTE,
    lapTokens: 38_000,
    ended: 'finished',
    lap: [['Grep', '{"pattern":"redirects?[_-]v%","path":"content"}', 'answer: No files found']],
  },
  {
    program: 'claude-code',
    project: 'mobile-app',
    certainty: 'certain',
    detector: 'repeated-call',
    tool: 'Read',
    detail:
      'Read was called 17 times in a row with the same arguments and always returned the same answer',
    advice:
      'You already made this exact call. Use the answer you have, or change the arguments or the tool.',
    count: 17,
    lapMs: 0.5 * MINUTE,
    lapTokens: 210_000,
    ended: 'finished',
    lap: [
      [
        'Read',
        '{"file_path":"app/navigation/Tabs.tsx"}',
        "answer: 1 import { Tabs } from 'expo-router' 2 export default function Layout() {",
      ],
    ],
  },
  {
    program: 'opencode',
    project: 'infra',
    certainty: 'certain',
    detector: 'repeated-call',
    tool: 'bash',
    detail:
      'bash was called 31 times in a row with the same arguments and always returned the same answer',
    advice:
      'You already made this exact call. Use the answer you have, or change the arguments or the tool.',
    count: 31,
    lapMs: 0.4 * MINUTE,
    lapTokens: 41_000,
    ended: 'in-loop',
    lap: [
      ['bash', '{"command":"terraform plan -out=plan"}', 'error: Error acquiring the state lock'],
    ],
  },
]
