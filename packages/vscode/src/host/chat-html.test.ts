import { expect, it } from 'vitest'
import { chatHtml } from './chat-html.js'

it('lets nothing run but the script with the nonce, and nothing load but ours', () => {
  const page = chatHtml({
    ...{ cspSource: 'https://ours', nonce: 'n0nce', language: 'en' },
    ...{ scriptUri: 'https://ours/view.js', styleUri: 'https://ours/view.css' },
  })
  const [, policy] = page.match(/Content-Security-Policy" content="([^"]+)"/) ?? []
  expect(policy).toBe("default-src 'none'; style-src https://ours; script-src 'nonce-n0nce'")
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toContain('<script nonce="n0nce" src="https://ours/view.js"></script>')
  expect(page).not.toMatch(/\son\w+=|style=|unsafe/)
})
