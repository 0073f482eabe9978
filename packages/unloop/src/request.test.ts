import { describe, expect, it } from 'vitest'
import { readRequest } from './request.js'

describe('a request', () => {
  it.each([
    ['Generate the same chunk 8 times', 8],
    ['run it eight times, please', 8],
    ['Make 20 identical runs of the benchmark', 20],
    ['I want 3 more copies', 3],
    ['two attempts, then fifty iterations', 50],
    ['Send 99999999 requests', 0],
    ['Run the flaky test 10x and count the failures', 10],
    ['Run it in a row, 10 ×.', 10],
    ['a dozen times', 12],
    ['Do 12 test runs of cart', 12],
    ['Führe den Test 10 Mal aus.', 10],
    ['Lance le test 10 fois.', 10],
    ['Ejecuta la prueba 10 veces', 10],
    ['Запусти тест 10 раз.', 10],
    ['请把测试运行10次。', 10],
    ['Scale it to 1920x1080', 0],
    ['Support version 2.10 calls', 0],
    ['5000 times', 1000],
    ['Fix the test in line 8', 0],
    ['It fails sometimes', 0],
    ['', 0],
  ])('asks for a number of times: %s', (text, times) => {
    expect(readRequest(text).times).toBe(times)
  })

  it.each([
    'Wait until the build is done',
    'keep checking the queue',
    'Poll the job',
    'monitor the deployment',
    'look every 30 seconds',
    'tell me as soon as it is up',
    'Warte, bis der Server erreichbar ist.',
    '等到服务器可用为止。',
  ])('asks to watch: %s', (text) => expect(readRequest(text).until).toBe(true))

  it.each(['Fix the login', 'Write a watch face', 'Add a pollen chart'])('does not: %s', (text) =>
    expect(readRequest(text).until).toBe(false),
  )

  it('that is long quotes words that are not the person’s', () => {
    const long = `Fix this: ${'the log says wait until done 9 times '.repeat(40)}`
    expect(readRequest(long)).toEqual({ times: 0, until: false })
  })
})
