import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { call, noise, pick, type Story, times } from './story.js'

const PHRASES = [
  'I will now go on with the discount and see what is wrong.',
  'Let me continue to work on the discount and look for the fault.',
  'Next, I am going to proceed with the discount to find the problem.',
  'I shall carry on with the discount and try to see the cause.',
  'Now I keep working on the discount so that the mistake is found.',
  'I am about to resume the discount and will search for the error.',
]

/** Steps that lead nowhere, on pages, in thoughts and in messages. */
export const aimless: Story[] = [
  {
    name: 'random clicks, and the page stays the same',
    steps: times(80, (at) =>
      call(
        'click',
        { x: noise(at, 900), y: noise(at + 7, 600) },
        'Clicked. Page: "Pay" (button), "Back" (link), "Total 12" (text)',
      ),
    ),
    expect: { stoppedWithin: 60 },
    fails: true,
  },
  {
    name: 'clicks through pages, all of them new',
    steps: times(25, (at) =>
      call(
        'click',
        { ref: `e${at}` },
        `Clicked. Page: "${pick(CITIES, at)}" (heading), "${pick(PEOPLE, at)}" (link), "${pick(SERVICES, at)}" (text)`,
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'a page that is loaded again under a new address, with other advertisements',
    steps: times(80, (at) =>
      call(
        'browser_navigate',
        { url: `https://shop.example/out-of-stock?nocache=${noise(at, 90_000)}` },
        `Out of stock\nThis lamp is sold out.\nAdvertisement: ${pick(CITIES, noise(at, 40))} from ${noise(at, 300)}`,
      ),
    ),
    expect: { stoppedWithin: 60 },
    fails: true,
  },
  {
    name: 'a tool for thoughts, which are always the same in other numbers',
    steps: times(80, (at) =>
      call(
        'sequentialthinking',
        {
          thought: 'I should look at the discount again before I change it.',
          thoughtNumber: at + 1,
          totalThoughts: at + 5,
          nextThoughtNeeded: true,
        },
        `{"thoughtNumber": ${at + 1}, "totalThoughts": ${at + 5}, "nextThoughtNeeded": true}`,
      ),
    ),
    expect: { stoppedWithin: 60 },
    fails: true,
  },
  {
    name: 'a tool for thoughts, which lead somewhere',
    steps: times(12, (at) =>
      call(
        'sequentialthinking',
        {
          thought: `${pick(SERVICES, at)} fails before ${pick(SYMBOLS, at)} in ${pick(CITIES, at)}`,
          thoughtNumber: at + 1,
          totalThoughts: 12,
          nextThoughtNeeded: at < 11,
        },
        `{"thoughtNumber": ${at + 1}, "totalThoughts": 12}`,
      ),
    ),
    expect: 'no stop',
  },
  {
    name: 'messages in other words without a call',
    prompt: 'Fix the discount.',
    steps: times(70, (at) => ({
      says: `${pick(PHRASES, at)} ${pick(PHRASES, at + 1 + Math.floor(at / 6))}`,
      answered: 'continue',
    })),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'messages that get on without a call',
    prompt: 'Plan the trip with me.',
    steps: times(12, (at) => ({
      says: `In ${pick(CITIES, at)}, ${pick(PEOPLE, at)} shows us the ${pick(SERVICES, at)}. Shall we?`,
      answered: `Yes, and then ${pick(CITIES, at + 1)}.`,
    })),
    expect: 'no stop',
  },
  {
    name: 'ever new plans, of an agent that is told to use a tool and does not',
    prompt: 'Fix the discount.',
    steps: times(70, (at) => ({
      says: `I will ask ${pick(PEOPLE, at)} about ${pick(SERVICES, at)}, and then open ${pick(SYMBOLS, at)}.`,
      answered: 'You did not use a tool. Please use one of the tools to go on.',
    })),
    expect: { stoppedWithin: 60 },
  },
]
