// biome-ignore lint/suspicious/noExplicitAny: objects of an SDK or a provider, of which we know the few fields that we use
export type Any = any
