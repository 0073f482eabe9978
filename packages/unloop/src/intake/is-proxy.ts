/**
 * Whether an object is a proxy: to look into one runs its owner's code. Only the platform can tell, and a browser does not;
 * there a proxy is read like any other object, and whatever it throws is caught.
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
    // some stand-ins for Node throw, or always say no
    return found?.({}) === false && found(new Proxy({}, {})) === true ? found : undefined
  } catch {
    return undefined
  }
}
