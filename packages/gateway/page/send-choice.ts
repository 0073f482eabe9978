import type { Choice } from './live.js'

/** Sends a choice; returns what went wrong, in words, or ''. */
export async function sendChoice(
  token: string,
  id: string,
  choice: Choice,
  onRefused: () => void,
): Promise<string> {
  let response: Response
  try {
    response = await fetch(`/unloop/api/sessions/${encodeURIComponent(id)}/choice`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(choice),
    })
  } catch {
    return 'The choice was not saved: the gateway cannot be reached. Try again.'
  }
  if (response.ok) return ''
  if (response.status === 401) onRefused()
  return `The choice was not saved: ${await reasonOf(response)}`
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error: { message: string } }
    return error.message
  } catch {
    return `the gateway answered with status ${response.status}.`
  }
}
