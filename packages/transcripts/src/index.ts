export { type Detected, detectFormat } from './detect.js'
export {
  type FindOptions,
  type FindProblem,
  type FoundTranscript,
  findTranscripts,
  listFolder,
} from './find.js'
export { type FollowOptions, followTranscript } from './follow.js'
export type { DatabaseFormat, FolderFormat, Format, Layout, RecordFormat } from './format.js'
export { formats } from './formats.js'
export type { Environment, FormatLocation, Machine, TranscriptLocation } from './location.js'
export { transcriptLocations } from './locations.js'
export {
  type MarkdownOptions,
  type MarkdownTranscript,
  toMarkdown,
} from './markdown/to-markdown.js'
export type { Mark } from './markdown/write-document.js'
export { programTitle } from './program-title.js'
export { type ReadOptions, readTranscript } from './read.js'
export { createStreamReader, type StreamReader } from './read-stream.js'
export type {
  BadRecord,
  Outcome,
  Problem,
  Run,
  Summary,
  Transcript,
  TranscriptItem,
} from './transcript.js'
export type { Watched } from './watch/sessions.js'
export {
  MAX_FOLLOWED,
  type WatchedSource,
  type WatchOptions,
  watchTranscripts,
} from './watch.js'
export { createWhereabouts, type Whereabouts } from './whereabouts.js'
export { whyNoEvent } from './why-no-event.js'
