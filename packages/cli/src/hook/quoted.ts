/** What is said about a loop, without the frame that an agent puts around the words of its tools. */
export function withoutFrame(detail: string): string {
  const text = FRAMES.reduce((rest, frame) => rest.replace(frame, ' '), detail)
    .replaceAll(/\s{2,}/g, ' ')
    .trim()
    // the first field of a record, which says nothing to a person
    .replace(/: (?:false|true|null)$/, '')
  // an exit code may be all that a tool has said
  return text.endsWith(':') ? detail : text
}

// of Claude Code; then of Gemini CLI and qwen-code, whose last line may be cut
const FRAMES: readonly RegExp[] = [
  /(?<=: )Exit code \d+\s(?=\S)/,
  /<\/?untrusted_context>/g,
  /(?<=:\s{0,4})Output: (?!\(empty\))/,
  /\bError: \(none\)/g,
  /\b(?:Exit Code|Signal|Background PIDs|Process Group PGID): (?:\(none\)|\d{1,10})/g,
  /\b(?:Process Group|Background)(?: P?G?I?D?s?:?)?\s?$/,
]
