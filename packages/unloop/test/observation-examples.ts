/** What programs say in the person's place, and who says it, in the order of `observations`. */
export const observationExamples: readonly (readonly [program: string, example: string])[] = [
  ['ReAct, LangChain, SWE-agent, smolagents', 'Observation: the page was not found'],
  ['Cline, Roo Code, Kilo Code', "[read_file for 'src/app.ts'] Result:\n1 | export const app = 1"],
  ['mini-swe-agent', '<returncode>1</returncode>\n<output>\ncat: a.txt: No such file\n</output>'],
  ['Hermes, Qwen, and others with tags', '<tool_response>\n{"price": 12}\n</tool_response>'],
  ['AutoGen', 'exitcode: 0 (execution succeeded)\nCode output: \n12'],
  ['Open Interpreter', 'Code output: 12'],
  ['aider, after a command', 'I ran this command:\n\nnpm test\n\nAnd got this output:\n\n1 failed'],
  ['aider, after an edit', '# 1 SEARCH/REPLACE block failed to match!\n\n## src/app.ts'],
  [
    'aider, about the form of an edit',
    'The LLM did not conform to the edit format.\nNo filename provided before ```',
  ],
  ['aider, after linting', '# Fix any errors below, if possible.\n\n## Running: flake8 app.py'],
  [
    'Cline, Roo Code, and others that want a tool to be used',
    '[ERROR] You did not use a tool in your previous response! Please retry with a tool use.',
  ],
  [
    'mini-swe-agent, about the form of a command',
    'Please always provide EXACTLY ONE action in triple backticks, found 0 actions.',
  ],
  [
    'SWE-agent, about the form of a command',
    'Your output was not formatted correctly. You must always include one discussion.',
  ],
  ['LangChain, about the form of an action', "Invalid Format: Missing 'Action:' after 'Thought:'"],
  [
    'smolagents, about an error',
    "Error:\nNameError: x\nNow let's retry: take care not to repeat previous errors! If you have retried several times, try a completely different approach.",
  ],
  [
    'OpenHands, when the agent only talks',
    'Please continue working on the task on whatever approach you think is suitable.',
  ],
]
