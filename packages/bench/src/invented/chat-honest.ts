import { bare, json, plain } from './frames.js'
import { each, honest, type Invented } from './script.js'
import { PARTS } from './words.js'

const domain = 'chat'

export const chatHonest: Invented[] = [
  honest(
    {
      name: 'a tutor explaining step after step',
      domain,
      why: 'Each message teaches something else; the recorder just notes no prompts.',
      style: { turns: true },
    },
    (run) => {
      const topics = [
        'variables',
        'loops',
        'functions',
        'lists',
        'dictionaries',
        'files',
        'exceptions',
        'modules',
        'classes',
        'tests',
        'recursion',
        'sorting',
        'strings',
        'dates',
        'sets',
        'tuples',
        'generators',
        'decorators',
        'typing',
        'packaging',
        'logging',
        'async',
        'sockets',
        'json',
      ]
      each(topics, (topic) =>
        run.step(
          `Let us look at ${topic}. In Python ${topic} ${run.pick(['are written like this', 'work as follows', 'deserve a careful look', 'are simpler than they seem'])}: \`${topic}_${run.int(1, 99)} = ${run.pick(['make', 'open', 'build', 'load'])}(${run.int(1, 99)})\`. ${run.pick(['Try to change the number.', 'What do you think is printed?', 'Can you write a second one?', 'Run it and tell me what you see.'])}`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'an interview of thirty questions',
      domain,
      why: 'The frame is the same, the question is another one.',
      style: { turns: true },
    },
    (run) => {
      each(PARTS.slice(0, 30), (part, n) => {
        run.prompt(
          `${run.pick(['We', 'I', 'Our team'])} ${run.pick(['built', 'rewrote', 'removed', 'bought'])} it in ${run.int(2015, 2025)}, mostly because of ${run.pick(PARTS)}.`,
        )
        run.step(`Thank you. Question ${n + 1} of 30: how do you handle ${part} in your team?`)
      })
    },
  ),
  honest(
    {
      name: 'a chat without prompts, look-up by look-up',
      domain,
      why: 'A helpdesk conversation in which every look-up concerns something else.',
      style: bare,
    },
    (run) => {
      each(PARTS.slice(0, 30), (part) => {
        run.step(
          `One moment, I am looking up ${part}.`,
          json(
            'kb_search',
            { query: `${run.pick(['how to', 'why does', 'can I', 'where is'])} ${part}` },
            run.chance(0.3)
              ? { articles: [] }
              : { articles: [{ id: run.int(100, 999), title: `${part} explained` }] },
          ),
        )
        run.step(
          `You will find ${part} under ${run.pick(['Settings', 'Account', 'Tools', 'Reports'])}. Is there anything else I can do for you?`,
        )
      })
    },
  ),
  honest(
    {
      name: 'a vocabulary drill',
      domain,
      why: 'The pattern is a drill on purpose, with another word each time.',
      style: bare,
    },
    (run) => {
      run.prompt(
        'Quiz me on forty French words, one at a time, and check my answer with the dictionary.',
      )
      each(
        [
          'pomme',
          'chien',
          'livre',
          'maison',
          'soleil',
          'fleuve',
          'arbre',
          'porte',
          'chaise',
          'pain',
          'lait',
          'neige',
          'pont',
          'route',
          'clé',
          'verre',
          'oiseau',
          'nuage',
          'lettre',
          'plage',
          'forêt',
          'bateau',
          'roue',
          'lampe',
          'montre',
          'ville',
          'champ',
          'cheval',
          'jardin',
          'fromage',
        ],
        (word) => {
          run.step(
            `What does "${word}" mean?`,
            plain(
              'dictionary',
              { word, from: 'fr', to: 'en' },
              `${word}: ${run.pick(['n. m.', 'n. f.'])} ${run.token(6).toLowerCase()}`,
            ),
          )
        },
      )
    },
  ),
]
