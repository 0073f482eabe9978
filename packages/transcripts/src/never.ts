/** The end of a switch that has a case for everything: what it lacks does not compile. */
export function never(value: never): never {
  throw new Error(`there is no case for ${JSON.stringify(value)}`)
}
