import { describe, expect, it } from 'vitest'
import { call, prompt, result, times } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { noPatience, readRequest } from './request.js'

describe('a request', () => {
  it.each([
    ['Generate the same chunk 8 times', 8],
    ['run it eight times, please', 8],
    ['Please run it eight times.', 8],
    ['Make 20 identical runs of the benchmark', 20],
    ['I want 3 more copies', 3],
    ['I want you to call it 15 times', 15],
    ['Could you ping the server 30 times?', 30],
    ['Fix the flaky test. Then run the suite 20 times.', 20],
    ['Build it and repeat the test fifty times', 50],
    ['Send 60 requests to the server', 60],
    ['Send 99999999 requests', 0],
    ['Run the flaky test 10x and count the failures', 10],
    ['Run it in a row, 10 ×.', 10],
    ['a dozen times', 12],
    ['10x', 10],
    ['Do 12 test runs of cart', 12],
    ['Führe den Test 10 Mal aus.', 10],
    ['Bitte starte den Test 10 mal', 10],
    ['Lance le test 10 fois.', 10],
    ['Ejecuta la prueba 10 veces', 10],
    ['Запусти тест 10 раз.', 10],
    ['请把测试运行10次。', 10],
    ['Run it 5000 times', 100],
  ])('asks for a number of times: %s', (text, wanted) => {
    expect(readRequest(text).times).toBe(wanted)
  })

  it.each([
    'Scale it to 1920x1080',
    'Support version 2.10 calls',
    'Fix the test in line 8',
    'It fails sometimes',
    '',
    'The API allows 1000 requests per hour.',
    'Make the client faster. The API allows 1000 calls per hour.',
    'There are 300 calls in this log. Find the slow ones.',
    'Analyze this log with 300 calls',
    'Our dataset has 200 samples',
    'Fix the bug that was reported 40 times',
    'The test failed 12 times yesterday, find out why',
    'It was tried 20 times before. Fix it.',
    'Write a client that retries 50 times',
    'Make sure the limit of 200 attempts holds',
    'The user said "run it 100 times"',
    'See the note:\n> run it 100 times\nand fix it',
    'Explain `repeat 100 times`',
    'Call the API, which allows 500 requests per minute',
    'Run the script that sends 1000 requests',
    'Do not run it 100 times.',
    'Never run it 100 times',
    'Write a Python script to flip a coin 100 times',
    'Write 100 tests',
    'I need a table with 100 rounds',
    'Take a 100 x 200 px screenshot',
    'Take 100 x 200 px screenshots',
    'create 90 messages in the fixture',
    'test 60 requests',
    'Make the logo 50 x larger',
    'Make the client retry 20 times before it fails',
    'Die API erlaubt 1000 Aufrufe, das wurde 50 mal geprüft',
  ])('tells a fact: %s', (text) => {
    expect(readRequest(text).times).toBe(0)
  })

  it.each([
    'Wait until the build is done',
    'wait for the deployment',
    'Please keep checking the queue',
    'Poll the job',
    'monitor the deployment',
    'watch the build',
    'Watch run 9917 until it is green, then merge.',
    'look every 30 seconds',
    'Check the status every 5 minutes',
    'tell me as soon as it is up',
    'Run the tests until they are green',
    'Retry until it works.',
    'Deploy it, then wait until it is healthy',
    'Warte, bis der Server erreichbar ist.',
    '等到服务器可用为止。',
  ])('asks to watch: %s', (text) => expect(readRequest(text).until).toBe(true))

  it.each([
    'Fix the login',
    'Write a watch face',
    'Add a pollen chart',
    'It worked until yesterday',
    'Create a function to poll the server until it is ready',
    'Do not wait until the build is done',
    'The page loads until the session ends. Fix it.',
    'Compress the picture and watch the file size',
    'Fix it as soon as possible',
    'As soon as the user logs in, the page is blank',
    'Add a button that waits until the form is valid',
    'The job polls the queue every 30 seconds and fails',
    'Explain what "wait until the build is done" means',
  ])('does not: %s', (text) => expect(readRequest(text).until).toBe(false))

  it('that is long quotes words that are not the person’s', () => {
    const long = `Fix this: ${'the log says wait until done 9 times '.repeat(40)}`
    expect(readRequest(long)).toEqual(noPatience())
  })

  it('lifts a limit as far as it asks for, and no request lifts one for good', () => {
    const stopsAt = (text: string) => {
      const guard = createGuard()
      guard.observe(prompt(text))
      const events = times(200, [call('run_it', { n: 1 }), result('the same as ever')])
      return events.findIndex((event) => guard.observe(event)?.action === 'stop') / 2
    }
    expect(stopsAt('Do it.')).toBeLessThan(8)
    expect(stopsAt('The API allows 1000 requests per hour.')).toBe(stopsAt('Do it.'))
    expect(stopsAt('Run it 30 times.')).toBeGreaterThan(30)
    expect(stopsAt('Run it 30 times.')).toBeLessThan(36)
    expect(stopsAt('Run it 5000 times.')).toBeLessThan(110)
  })
})
