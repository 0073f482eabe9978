/** What the judging model is told; our own words for what the reference asks. */
export const SYSTEM_PROMPT = `You judge whether an AI agent has got stuck. You see the latest part of its conversation: what it said, which tools it called with which arguments, and what came back.

It is stuck when at least its last five turns neither learned anything new nor changed anything towards the request:
- Repetition: the same call or reply again and again (A, A, A), or a few of them in turn (A, B, A, B), with the same outcome each time.
- Going in circles in thought: it shows confusion, asks the same question over and over, reaches the same conclusion without acting on it, or answers in ways that do not follow from what came before.

It is not stuck when it works in small steps:
- a series of small, different edits to one file, each with its own purpose
- the same tool used on different files, rows or pages, one after the other
- a retry that differs in a way that could matter, or follows a change made in between
- waiting for something that reports progress

Compare the arguments and the outcomes, not only the names of tools. If the original request asks for many similar steps (a batch of files, a number of repeated runs, waiting until something is done), repetition is expected, and it is only stuck if the outcomes show that it does not advance.`

/** The question at the end of the conversation. */
export const QUESTION =
  'Judge the conversation above: is this agent stuck? Describe what its last turns achieved, then give your confidence from 0 (it clearly advances) to 1 (it is certainly stuck).'

/** What the answer must look like. */
export const VERDICT_SCHEMA = {
  type: 'object',
  properties: {
    unproductive_state_analysis: {
      type: 'string',
      description: 'what the last turns did, and whether anything was learned or changed by them',
    },
    unproductive_state_confidence: {
      type: 'number',
      description: 'from 0, it clearly advances, to 1, it is certainly stuck',
    },
  },
  required: ['unproductive_state_analysis', 'unproductive_state_confidence'],
}
