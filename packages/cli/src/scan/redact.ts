// the library has taken keys and addresses out of what it quotes; evidence and paths are quoted by us
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[key]'],
  [
    /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|npm|hf|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g,
    '[key]',
  ],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}/g, '[token]'],
  [/(?<=\b(?:bearer|basic) )[A-Za-z0-9._~+/-]{8,}=*/gi, '[token]'],
  [
    /(?<=(?:password|passwd|secret|token|api[-_]?key)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'\\,;)}]{4,}/gi,
    '[secret]',
  ],
  [/(?<=:\/\/[^\s:/@]{1,64}:)[^\s@/]{1,128}(?=@)/g, '[secret]'],
  [/\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g, '[e-mail]'],
  [/(?:\/home|\/Users)\/[^/\s"'\\:]+/g, '~'],
  [/\b[A-Za-z]:\\{1,2}Users\\{1,2}[^\\\s"']+/g, '~'],
]

/** The text without keys, tokens, passwords, addresses of people and names of home folders. */
export function redact(text: string, home = ''): string {
  const clean = home.length > 1 ? text.replaceAll(home, '~') : text
  return SECRETS.reduce((rest, [secret, word]) => rest.replace(secret, word), clean)
}
