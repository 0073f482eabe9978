import { describe, expect, it } from 'vitest'
import { areRows } from './rows.js'
import { NUMBER } from './text-kind.js'

const fold = (line: string) =>
  `\n${line.replace(/\d+/g, String.fromCharCode(NUMBER)).replace(/ +/g, ' ')}\n`.repeat(3)

describe('lines', () => {
  it.each([
    'Apr  5 10:11:12 host sshd[17]: closed',
    '[Sat Apr 05 10:11:12 2031] [error] closed',
    '2031-04-05T10:11:12.131Z INFO closed',
    '2031/04/05 closed',
    '04-05 10:11:12.131  17  17 D Bar: closed',
    'I0405 10:11:12.131415       1 main.go:17] closed',
    '[10:11] <somebody> hello',
    'web-1  | 2031-04-05T10:11:12Z closed',
    '10.0.0.1 - - [05/Apr/2031:10:11:12 +0000] "GET / HTTP/1.1" 200',
    'time="2031-04-05T10:11:12Z" level=info msg="closed"',
    '{"level":"info","ts":"2031-04-05T10:11:12Z","msg":"closed"}',
    'Information\t4/5/2031 10:11:12 AM\tService\t17',
  ])('are those of a log: %s', (line) => {
    expect(areRows(fold(line), true)).toBe(true)
    expect(areRows(fold(line), false)).toBe(true)
  })

  it.each([
    '1931415926 closed the door',
    '[    0.131415] usb 1-2: new device',
    '17:  return load(a)',
    'src/a.ts:17:  return load(a)',
    '64 bytes from 1.1.1.1: seq=17',
    '## 1.2.3',
    '[INFO] Read 17 of 20 files',
    'worker-17 is ready',
  ])('may differ in their numbers, but may not be the same: %s', (line) => {
    expect(areRows(fold(line), true)).toBe(false)
    expect(areRows(fold(line), false)).toBe(true)
  })

  it.each([
    '1. Check the file again.',
    '2) Check the file again.',
    '**3.** Check the file again.',
    '4、再看一遍这个文件。',
    'Step 5: check the file again.',
    '第6步：再看一遍这个文件。',
    'It is 10:11, and there is no answer.',
  ])('are sentences: %s', (line) => {
    expect(areRows(fold(line), true)).toBe(false)
    expect(areRows(fold(line), false)).toBe(false)
  })

  it('are of a log if half of them are', () => {
    const line = fold('2031-04-05 10:11:12 It broke.')
    expect(areRows(`${line}\nIn this file.\nIn that file.\n`, true)).toBe(true)
    expect(areRows(`${line}${'In this file.\n'.repeat(9)}`, true)).toBe(false)
    expect(areRows(`${line}${'In this file.\n'.repeat(9)}`, false)).toBe(true)
  })
})
