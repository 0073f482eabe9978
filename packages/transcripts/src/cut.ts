/** Takes what a cutter has cut. */
export interface Take {
  /** one record as text, and where it begins */
  text(text: string, offset: number, key: string): void
  /** a record without a long member at its end; `whole` gives all of it */
  shortened(text: string, whole: () => string, offset: number): void
  /** a record that is skipped */
  skipped(): void
  /** a record that cannot be had */
  spoiled(offset: number, reason: string): void
}

/** Cuts a stream of bytes into records. */
export interface Cutter {
  push(chunk: Buffer): void
  /** nothing more comes: what is left is the last record */
  end(): void
}

/** Why a record that is too long is spoiled. */
export const tooLong = (maxBytes: number): string =>
  maxBytes < 2 ** 20
    ? `longer than ${maxBytes} bytes`
    : `longer than ${Math.round(maxBytes / 2 ** 20)} MB`
