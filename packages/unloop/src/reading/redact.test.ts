import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs, soak } from '../../test/arbitraries.js'
import { call, failed, result, times } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { redact } from './redact.js'

const hex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 32,
  maxLength: 40,
})
const letters = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 24,
  maxLength: 48,
})

/** What a secret looks like in a text: `{}` is where it stands. */
const forms: Record<string, string> = {
  'a key of OpenAI': 'sk-{}',
  'a project key of OpenAI': 'sk-proj-{}',
  'a key of Anthropic': 'sk-ant-api03-{}',
  'a key of Stripe': 'sk_live_{}',
  'a restricted key of Stripe': 'rk_test_{}',
  'a webhook secret of Stripe': 'whsec_{}',
  'a token of GitHub': 'ghp_{}',
  'a server token of GitHub': 'ghs_{}',
  'a fine-grained token of GitHub': 'github_pat_{}',
  'a token of GitLab': 'glpat-{}',
  'a runner token of GitLab': 'glrt-{}',
  'a token of npm': 'npm_{}',
  'a token of PyPI': 'pypi-{}',
  'a token of Hugging Face': 'hf_{}',
  'a bot of Slack': 'xoxb-{}',
  'an app of Slack': 'xapp-1-{}',
  'a key of AWS': 'AKIA{}',
  'a session key of AWS': 'ASIA{}',
  'a key of Google': 'AIza{}',
  'a token of Google': 'ya29.{}',
  'a key of SendGrid': 'SG.{}',
  'a key of xAI': 'xai-{}',
  'a key of Groq': 'gsk_{}',
  'a token of DigitalOcean': 'dop_v1_{}',
  'a token of Shopify': 'shpat_{}',
  'a token of Docker': 'dckr_pat_{}',
  'a token of Atlassian': 'ATATT3{}',
  'a web token': 'eyJ{}.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl',
  'a bearer token': 'Authorization: Bearer {}',
  'a basic login': 'Authorization: Basic {}==',
  'another authorization': 'authorization: Token {}',
  'a cookie': 'Cookie: session={}; theme=dark',
  'a cookie that is set': 'Set-Cookie: sid={}; HttpOnly',
  'a cookie in a record': '{"cookie": "sid={}"}',
  'a private key': '-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----',
  'a private key that is cut': '-----BEGIN OPENSSH PRIVATE KEY-----\n{}',
  'a password in a record': '{"password":"{}"}',
  'a password in a record in a text': '{\\"password\\": \\"{}\\"}',
  'a password in single quotes': "password = '{}'",
  'a password in an environment': 'DB_PASSWORD={}',
  'a secret key in an environment': 'AWS_SECRET_ACCESS_KEY={}',
  'a client secret': 'client_secret={}&scope=all',
  'a key in an address': 'https://a.example/v1?api_key={}&q=1',
  'a token in an address': 'https://a.example/v1?access_token={}',
  'a signature in an address': 'https://a.example/f?X-Amz-Signature={}',
  'a password in an address': 'postgres://admin:{}@db/shop',
  'a password on a command line': 'deploy --password {} --now',
  'a password with an equals sign': 'deploy --password={}',
  'a token on a command line': 'curl --auth-token "{}" https://a.example',
  'a password of curl': 'curl -u admin:{} https://a.example',
  'a password of sshpass': 'sshpass -p {} ssh host',
  'a password of mysql': 'mysql -h db -u root -p{} shop',
  'an authorization of npm': '//a.example/:_authToken={}',
  'a line of .netrc': 'machine a.example login bob password {}',
  'an account key of Azure': 'AccountName=shop;AccountKey={};EndpointSuffix=core',
  'a password with a quotation mark': '{"password":"a\\"{}"}',
  'a password with other marks': 'password=a;b,{}',
  'a password of MySQL in an environment': 'MYSQL_PWD={}',
  'a key in an environment': 'STRIPE_KEY={}',
  'a password in a sentence': 'The password is: {}',
  'a password in XML': '<password>{}</password>',
  'a token in a list of arguments': '["--token", "{}"]',
  'a variable of a container': '{"name":"API_KEY","value":"{}"}',
  'cookies in a list': '"set-cookie":["sid={}"]',
  'a password of docker': 'docker login -u bob -p {} a.example',
  'a key of Vault': 'hvs.{}',
  'a client secret of Google': 'GOCSPX-{}',
  'a token of RubyGems': 'rubygems_{}',
  'a hook of Slack': 'https://hooks.slack.com/services/T000/B000/{}',
  'a hook of Discord': 'https://discord.com/api/webhooks/123456789/{}',
}

describe.each(Object.entries(forms))('%s', (_name, form) => {
  it('is taken out, wherever it stands', () => {
    const around = fc.constantFrom('', 'see ', '("', 'x=', '- ', '\n')
    fc.assert(
      fc.property(fc.oneof(letters, hex), around, around, (secret, before, after) => {
        const text = before + form.replace('{}', secret) + after
        const clean = redact(text)
        expect(clean).not.toContain(secret)
        expect(clean).toMatch(/\[(key|token|secret)\]/)
        expect(redact(clean)).toBe(clean)
      }),
      runs(60),
    )
  })

  it('is in no finding', () => {
    const secret = 'Zx9Kq7Lm2Wn4Bv6Cr8Tp1Ys3'
    const text = form.replace('{}', secret)
    const guard = createGuard()
    const events = [
      ...times(8, failed('bash', { command: text }, `Error: cannot use ${text}`)),
      ...times(8, (lap) => [call('look', { q: `${text} ${lap}` }), result(`nothing for ${text}`)]),
      ...times(60, [{ type: 'text', text: `I will use ${text} now. ` }]),
    ]
    const findings = events.map((event) => guard.observe(event)).filter(Boolean)
    expect(findings.length).toBeGreaterThan(2)
    expect(JSON.stringify([findings, guard.findings])).not.toContain(secret)
  })
})

it('takes out addresses of people', () => {
  expect(redact('write to ada.lovelace@example.org, please')).toBe('write to [e-mail], please')
})

it.each([
  'read_file({"path":"src/key-value-store.ts"})',
  'npm_config_registry_timeout',
  'the basic understanding of tokens',
  'tokens: 1200, max_tokens=4096',
  'cd /srv && PWD=/srv ls',
  'git commit -m "pass the secret test"',
  'docker run -u 1000:1000 node',
  'a sketch_of_the_thing and pk-list',
  'https://example.org/a?b=c#d',
  'npm i lodash@4.17.21 user@2x.png',
  '{ token: number, password: string }',
  'Bearer authentication',
  'key-value-store-2 and secret_santa_list_2024.txt',
  'go --pass through it',
  '10:30:00 server started on port 8080',
])('leaves the rest alone: %s', (text) => {
  expect(redact(text)).toBe(text)
})

it('takes linear time, whatever is repeated', () => {
  const pumps = [
    ...Object.values(forms).map((form) => form.replace('{}', '')),
    ...(soak ? Object.values(forms).flatMap((form) => [form, form.slice(0, 6)]) : []),
    ...[
      '-eyJ',
      'eyJ-',
      'sk-',
      '--a-',
      'a.',
      ' -p',
      'mysql ',
      'basic ',
      '://a:',
      '@a.',
      "'",
      '\\"',
      '-----BEGIN ',
    ],
  ]
  for (const pump of pumps) {
    const text = pump.repeat(Math.ceil(1_000_000 / pump.length))
    // quadratic time would be minutes, which the limit of the test ends
    expect(redact(text)).toBeTypeOf('string')
  }
}, 300_000)
