const KEY = 'unloop-token'

/** The token of the address, which is then removed from there, or else the one this tab has kept. */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null) {
    history.replaceState(null, '', location.pathname + location.search)
    keepToken(given)
    return given
  }
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

/** Keeps the token for as long as this tab is open; '' forgets it. */
export function keepToken(token: string): void {
  try {
    if (token === '') sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, token)
  } catch {
    // a browser that stores nothing asks again after a reload
  }
}

/** Whether a header can carry it; nothing else can be a token. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
