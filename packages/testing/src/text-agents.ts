/** An agent that writes its calls as text: what its model says, and what its program answers in the person's place. */
export interface TextAgent {
  name: string
  task: string
  /** the same in each round of a loop */
  loop: { said: string; answered: string }
  /** a round of honest work */
  work(at: number): { said: string; answered: string }
  /** a round of waiting for something that goes on; not given where the program has nothing to tell */
  poll?(at: number): { said: string; answered: string }
}

const FILES = [
  'login session cookie header router',
  'basket price checkout invoice receipt',
  'search index ranking synonym snippet',
  'worker queue retry backoff deadline',
  'theme palette spacing shadow border',
  'parser token grammar cursor lookahead',
]

/** A page of a book that is not like the others. */
const page = (at: number): string => {
  const words = (FILES[at % FILES.length] ?? '').split(' ')
  const rest = words.map((word, i) => `${word}${'abcdefgh'[(at + i) % 8]}${at * 7 + i}`)
  return rest.map((word, i) => `${i + 1} | export const ${word} = ${words[i]}(${at})`).join('\n')
}

const subject = (at: number): string =>
  `${(FILES[at % FILES.length] ?? '').split(' ')[at % 5]}-${at}`

/** One of each kind that is known to be used. */
export const textAgents: TextAgent[] = [
  {
    name: 'ReAct',
    task: 'Answer the question with the tools. Use Thought, Action, Action Input, Observation. Question: who wrote the login?',
    loop: {
      said: 'Thought: I should look up who wrote the login module first.\nAction: search\nAction Input: author of the login module',
      answered: 'Observation: No results were found for this query.',
    },
    work: (at) => ({
      said: `Thought: Next I need what is known about ${subject(at)}.\nAction: search\nAction Input: ${subject(at)}`,
      answered: `Observation: ${page(at)}`,
    }),
    poll: (at) => ({
      said: 'Thought: I have to see how far the build is.\nAction: build_status\nAction Input: {}',
      answered: `Observation: building ${subject(at)}\n${page(at)}`,
    }),
  },
  {
    name: 'XML tools',
    task: '<task>\nFix the price of the basket.\n</task>',
    loop: {
      said: '<thinking>I need to see the file before I can fix it.</thinking>\n<read_file>\n<path>src/basket.ts</path>\n</read_file>',
      answered: "[read_file for 'src/basket.ts'] Result:\nError: File not found: src/basket.ts",
    },
    work: (at) => ({
      said: `<thinking>The next file to read is ${subject(at)}.</thinking>\n<read_file>\n<path>src/${subject(at)}.ts</path>\n</read_file>`,
      answered: `[read_file for 'src/${subject(at)}.ts'] Result:\n${page(at)}`,
    }),
    poll: (at) => ({
      said: '<execute_command>\n<command>gh run view --log</command>\n</execute_command>',
      answered: `[execute_command for 'gh run view --log'] Result:\nin progress: ${subject(at)}\n${page(at)}`,
    }),
  },
  {
    name: 'mini-swe-agent',
    task: 'Please solve this issue: the price of the basket is wrong.',
    loop: {
      said: 'THOUGHT: Let me look at the basket to understand the price.\n\n```bash\ncat src/basket.py\n```',
      answered:
        '<returncode>1</returncode>\n<output>\ncat: src/basket.py: No such file or directory\n</output>',
    },
    work: (at) => ({
      said: `THOUGHT: Now I look at ${subject(at)}.\n\n\`\`\`bash\ncat src/${subject(at)}.py\n\`\`\``,
      answered: `<returncode>0</returncode>\n<output>\n${page(at)}\n</output>`,
    }),
    poll: (at) => ({
      said: 'THOUGHT: Is the deployment done?\n\n```bash\nkubectl get pods\n```',
      answered: `<returncode>0</returncode>\n<output>\n${subject(at)} Pending\n${page(at)}\n</output>`,
    }),
  },
  {
    name: 'aider',
    task: 'Fix the price of the basket.',
    loop: {
      said: 'I will change the price of the basket so that the discount is applied.\n\nsrc/basket.py\n<<<<<<< SEARCH\n    return price\n=======\n    return price - discount\n>>>>>>> REPLACE',
      answered:
        '# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/basket.py',
    },
    work: (at) => ({
      said: `I will change ${subject(at)}.\n\nsrc/${subject(at)}.py\n<<<<<<< SEARCH\n    return ${subject(at)}\n=======\n    return ${subject(at + 1)}\n>>>>>>> REPLACE`,
      answered: `I ran this command:\n\npytest -x\n\nAnd got this output:\n\n${page(at)}\n`,
    }),
  },
  {
    name: 'smolagents',
    task: 'New task:\nWhich of the shops is the cheapest?',
    loop: {
      said: 'Thought: I will search the web for the cheapest shop.\n<code>\nresult = web_search("cheapest shop")\nprint(result)\n</code>',
      answered:
        'Observation:\nExecution logs:\nNo results found! Try a less restrictive query.\nLast output from code snippet:\nNone',
    },
    work: (at) => ({
      said: `Thought: I will visit ${subject(at)}.\n<code>\nprint(visit_webpage("https://shop.example/${subject(at)}"))\n</code>`,
      answered: `Observation:\nExecution logs:\n${page(at)}\nLast output from code snippet:\nNone`,
    }),
    poll: (at) => ({
      said: 'Thought: I check the job again.\n<code>\nprint(job.status())\n</code>',
      answered: `Observation:\nExecution logs:\nrunning ${subject(at)}\n${page(at)}\nLast output from code snippet:\nNone`,
    }),
  },
  {
    name: 'no tool used',
    task: 'Fix the price of the basket.',
    loop: {
      said: 'I will now open the file and fix the price of the basket.',
      answered:
        '[ERROR] You did not use a tool in your previous response! Please retry with a tool use.\n\n# Reminder: Instructions for Tool Use\n\nTool uses are formatted using XML-style tags.',
    },
    work: (at) => ({
      said: `<read_file>\n<path>src/${subject(at)}.ts</path>\n</read_file>`,
      answered: `[read_file for 'src/${subject(at)}.ts'] Result:\n${page(at)}`,
    }),
  },
  {
    name: 'a program with words of its own',
    task: 'You are in a maze. Find the way out. What do you do?',
    loop: {
      said: 'I walk down the corridor to the north and try to open the heavy door.',
      answered: 'The door is locked. What do you do?',
    },
    work: (at) => ({
      said: `I go through the ${subject(at)} room and pick up the ${subject(at + 1)} that lies there.`,
      answered: `You are in the ${subject(at)} room.\n${page(at)}\nWhat do you do?`,
    }),
  },
]
