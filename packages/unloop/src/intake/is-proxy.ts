/**
 * Whether an object is a proxy: reading one runs its owner's code. Only the platform can tell, and browsers do not; there
 * a proxy is read like any other object, and anything it throws is caught.
 */
export const isProxy: (value: object) => boolean = findIsProxy() ?? (() => false)

interface Platform {
  getBuiltinModule?(name: string): { types?: { isProxy?(value: unknown): boolean } } | undefined
}

function findIsProxy(): ((value: object) => boolean) | undefined {
  try {
    // not an import: that would tie the library to Node
    const platform = (globalThis as { process?: Platform }).process
    const found = platform?.getBuiltinModule?.('node:util')?.types?.isProxy
    // some replacements for Node throw, or always say no
    return found?.({}) === false && found(new Proxy({}, {})) === true ? found : undefined
  } catch {
    return undefined
  }
}
