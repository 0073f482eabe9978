/** Reads an option that may be given several times, or once with commas; it takes none of the words after it. */
export const toList = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(',').filter((part) => part !== ''),
]
