/** What the judging model is told, in our own words. */
export const SYSTEM_PROMPT = `You judge whether an AI agent is stuck, based on the latest part of its conversation: what it said, which tools it called with which arguments, and what came back.

It is stuck when at least its last five turns neither learned anything new nor changed anything toward the request:
- the same calls or replies again and again (A, A, A or A, B, A, B) with the same outcome
- the same question or conclusion over and over without acting on it, or replies that do not follow from what came before

It is not stuck while it works in small steps:
- different edits to one file, the same tool on different files, rows or pages
- a retry that differs in a way that could matter, or follows a change
- waiting for something that reports progress

Compare arguments and outcomes, not only the names of tools. If the request asks for many similar steps, repetition is expected, and it is only stuck if the outcomes show that it does not advance.`

/** The question at the end of the conversation. */
export const QUESTION =
  'Is this agent stuck? Say what its last turns achieved, then give your confidence from 0 (it clearly advances) to 1 (it is certainly stuck).'

/** What the answer must look like. */
export const VERDICT_SCHEMA = {
  type: 'object',
  properties: {
    unproductive_state_analysis: {
      type: 'string',
      description: 'what its last turns achieved',
    },
    unproductive_state_confidence: {
      type: 'number',
      description: 'from 0 (it clearly advances) to 1 (it is certainly stuck)',
    },
  },
  required: ['unproductive_state_analysis', 'unproductive_state_confidence'],
}
