/** How many tokens a model takes, by its name; a guess on the safe side where the name is unknown. */
export const contextTokensOf = (model: string): number =>
  CONTEXT_TOKENS.find(([pattern]) => pattern.test(model))?.[1] ?? DEFAULT_CONTEXT_TOKENS

// what most models of the last two years take at least
const DEFAULT_CONTEXT_TOKENS = 128_000

// as their makers gave them when these came out; too small a number only shortens the history early.
// Of GPT-5's 400,000 the answer may take 128,000
const CONTEXT_TOKENS: [pattern: RegExp, tokens: number][] = [
  [/^claude/, 200_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^o[134]\b/, 200_000],
  [/^gpt-3\.5/, 16_385],
  [/^gemini/, 1_048_576],
]
