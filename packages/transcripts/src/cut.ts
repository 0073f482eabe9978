/** Takes what a cutter has cut. */
export interface Take {
  /** one record as text, and where it begins */
  text(text: string, offset: number, key: string): void
  /** a record that cannot be had */
  spoiled(offset: number, reason: string): void
}

/** Cuts a stream of bytes into records. */
export interface Cutter {
  push(chunk: Buffer): void
  /** nothing more comes: what is left is the last record */
  end(): void
}
