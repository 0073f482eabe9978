import { PLAIN_SECRET_EXAMPLES, SECRET_EXAMPLES } from '@unloop/testing/secrets'
import { describe, expect, it } from 'vitest'
import { redact } from './index.js'

it('knows many formats, each by its own name', () => {
  expect(new Set(SECRET_EXAMPLES.map(({ secret, text }) => `${secret} ${text}`)).size).toBe(
    SECRET_EXAMPLES.length,
  )
  expect(SECRET_EXAMPLES.length).toBeGreaterThan(180)
})

describe.each([...SECRET_EXAMPLES, ...PLAIN_SECRET_EXAMPLES])('$name', ({ text, secret }) => {
  const places: Record<string, (text: string) => string> = {
    'in a sentence': (text) => `before it ${text} after it`,
    'at the start': (text) => `${text} after it`,
    'at the end': (text) => `before it ${text}`,
    'in lines': (text) => `before it\n${text}\nafter it`,
    'in JSON': (text) => JSON.stringify({ before: 'it', command: text, after: 'it' }),
    'after an escaped line break': (text) => `before it\\n${text}\\nafter it`,
    'after an escaped tab': (text) => `before it\\t${text}\\tafter it`,
    'after an escaped character': (text) => `before it\\u001b[32m${text}\\u00e9 after it`,
    'after a color': (text) => `before it \x1b[01;31m\x1b[K${text}\x1b[m after it`,
    'after a color without its escape': (text) => `before it [32m${text} after it`,
    'after an encoded character': (text) => `before?it%3D${text} after it`,
  }

  it.each(Object.keys(places))('is taken out %s, and the rest is left', (name) => {
    const place = places[name] as (text: string) => string
    const clean = redact(place(text))
    // no part of it that would be of use
    const part = Math.min(10, secret.length)
    for (let at = 0; at + part <= secret.length; at++) {
      expect(clean).not.toContain(secret.slice(at, at + part))
    }
    expect(clean).toMatch(/\[(?:key|token|secret|e-mail)\]/)
    expect(redact(clean)).toBe(clean)
    if (name !== 'at the start') expect(clean).toContain('before')
    if (name !== 'at the end') expect(clean).toContain('after')
  })
})

it.each([
  'commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it',
  'index 83db48f..bf269f4 100644',
  '"gitHead": "9b2f0d1c8a7e6f5b4c3d2e1f0a9b8c7d6e5f4a3b"',
  'session 123e4567-e89b-42d3-a456-426614174000 resumed',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  a.tar.gz',
  'd41d8cd98f00b204e9800998ecf8427e  empty.txt',
  'node@sha256:2f3d8e1a9b7c5d4e6f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60',
  '"integrity": "sha512-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6QUJDREVGR0hJSktMTU5PUA=="',
  'src/adapters/openai-agents/outcome-of.test.ts:120:13 - error TS2322: Type string',
  'at Object.<anonymous> (/srv/app/node_modules/vitest/dist/chunks/runtime.7f3a9c5e.js:1024:13)',
  'src/a.ts:1024:13:error:unexpected',
  'export const toMarkdownSummaryWithAnnotations2 = (report: ScanReport) => report.runs.length',
  'MyVeryLongClassNameForTesting.method.anotherVeryLongMethodNameHereIndeed',
  'import { secret_santa_list_of_everybody_in_the_team } from "./party.js"',
  'const keys = Object.keys(tokens).map((token) => token.length)',
  'cache-key: npm-linux-20.19-lockfile-v3',
  'KEY_PATH=/etc/ssl/private PRIMARY_KEY_COLUMN: customer_identifier',
  'MAX_TOKENS=4096 TOKEN_LIMIT=200000 KEY_REPEAT_DELAY_MS: 250',
  'The secret to a good password policy is that people understand it.',
  'Pass the token to the next agent, and keep the key in mind.',
  'the function takes a password: string and returns a token: Promise<Token>',
  'SELECT id, password_hash FROM users WHERE token IS NOT NULL',
  'if (!process.env.API_KEY) throw new Error("API_KEY is not set")',
  'authorization is checked before the request; basic auth is not supported',
  'ldapsearch -x -b dc=example and redis-cli ping and mongosh shop',
  'mysql -h db -u root shop; sqlcmd -S db -E -Q "select 1"',
  'sqlmap -u "http://shop.example/item" --batch',
  'net use lists them; useradd -u 1001 ada',
  '$1$2 and $name and $HOME/bin',
  '2026-11-16T10:00:00.123Z INFO 10.0.0.1:5432 connected, 1.2.3-beta.4, v20.19.5',
  'https://example.org/a/b?page=2&sort=name#part-3',
  'npm install @scope/name@1.2.3 && git checkout feature/redact-2',
  'npm_config_ca1 fw_config_v2_abcdef',
  'curl -H "Authorization: Bearer <token>" https://a.example',
  'fw_config sq_root re_match fo1 pul-request csk-1 pat-1',
  'SKU1234 SKIPPED ACCEPTED 12 of 34',
  '@media (max-width: 600px) { color: #7f3a9c }',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  '{"type":"tool_use","id":"toolu_01A09q90qw90lq917835lq9","name":"Read"}',
  'call_7f3a9c5e1b8d2046af91c3e5 msg_01XFDUDYJgAACzvnptvVoYEL',
])('leaves alone what is none: %s', (text) => {
  expect(redact(text)).toBe(text)
})
