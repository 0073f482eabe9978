import type { Format, RecordFormat } from './format.js'
import { aider } from './formats/aider.js'
import { amp } from './formats/amp.js'
import { anthropicMessages } from './formats/anthropic-messages.js'
import { claudeCode } from './formats/claude-code.js'
import { claudeStream } from './formats/claude-stream.js'
import { cline } from './formats/cline.js'
import { codex } from './formats/codex.js'
import { codexStream } from './formats/codex-stream.js'
import { copilotCli } from './formats/copilot-cli.js'
import { crush } from './formats/crush.js'
import { cursor, cursorText } from './formats/cursor.js'
import { droid } from './formats/droid.js'
import { eventLines } from './formats/event-lines.js'
import { geminiCli } from './formats/gemini-cli.js'
import { geminiContents } from './formats/gemini-contents.js'
import { geminiStream } from './formats/gemini-stream.js'
import { goose, gooseLines } from './formats/goose.js'
import { langfuse } from './formats/langfuse.js'
import { langsmith } from './formats/langsmith.js'
import { miniSweAgent } from './formats/mini-swe-agent.js'
import { openaiChat } from './formats/openai-chat.js'
import { openaiResponses } from './formats/openai-responses.js'
import { opencode, opencodeExport, opencodeTree } from './formats/opencode.js'
import { opencodeStream } from './formats/opencode-stream.js'
import { openhands, openhandsEvents } from './formats/openhands.js'
import { otlp } from './formats/otlp.js'
import { pi } from './formats/pi.js'
import { qwenCode } from './formats/qwen-code.js'
import { qwenStream } from './formats/qwen-stream.js'
import { sweAgent } from './formats/swe-agent.js'
import { tauBench } from './formats/tau-bench.js'
import { trail } from './formats/trail.js'
import { vscodeChat } from './formats/vscode-chat.js'

/** What agents print while they work, when a program asks them to. */
export const streamFormats: readonly RecordFormat[] = [
  codexStream,
  qwenStream,
  claudeStream,
  geminiStream,
  opencodeStream,
]

/** All formats that can be read, in the order in which they are tried: those that are easy to tell come first. */
export const formats: readonly Format[] = [
  eventLines,
  ...streamFormats,
  aider,
  cursorText,
  codex,
  qwenCode,
  claudeCode,
  pi,
  droid,
  geminiCli,
  otlp,
  trail,
  opencode,
  opencodeTree,
  opencodeExport,
  openhands,
  openhandsEvents,
  amp,
  sweAgent,
  miniSweAgent,
  copilotCli,
  vscodeChat,
  cursor,
  crush,
  goose,
  gooseLines,
  tauBench,
  langsmith,
  langfuse,
  cline,
  anthropicMessages,
  geminiContents,
  openaiResponses,
  openaiChat,
]
