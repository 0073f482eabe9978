import fc from 'fast-check'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { showSpent, toLeast, toMs, toSince } from './amounts.js'
import { redact } from './redact.js'
import { createTimeline } from './timeline.js'

describe('the timeline', () => {
  const call: AgentEvent = { type: 'tool-call', name: 'read' }
  const text: AgentEvent = { type: 'text', text: 'hm' }

  it('has a letter for each event of a short run', () => {
    const timeline = createTimeline()
    for (const event of [
      { type: 'prompt' as const },
      call,
      { type: 'tool-result' as const, isError: true },
      text,
    ])
      timeline.add(event)
    expect(timeline.toReport()).toEqual({ size: 1, marks: 'pcet' })
  })

  it('never has more than 240 letters, and each stands for the same number of events', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (count) => {
        const timeline = createTimeline()
        for (let i = 0; i < count; i++) timeline.add(i === 0 ? { type: 'prompt' } : text)
        const { size, marks } = timeline.toReport()
        expect(marks.length).toBeLessThanOrEqual(241)
        expect(marks.length).toBe(Math.ceil(count / size))
        expect(marks[0]).toBe('p')
      }),
    )
  })
})

describe('amounts', () => {
  it.each([
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['30d', 2_592_000_000],
    ['soon', undefined],
    ['5', undefined],
  ])('reads %s', (text, ms) => expect(toMs(text)).toBe(ms))

  it('are told in words', () => {
    expect(showSpent({ events: 3, ms: 95_000, tokens: 999_700, cost: 0.04 })).toBe(
      '95 s, 1M tokens, $0.04',
    )
    expect(showSpent({ events: 3, tokens: 0 })).toBe('3 events')
  })
})

describe('redact', () => {
  it.each([
    ['key sk-proj-abcdefghijklmnop end', 'key [key] end'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [token]'],
    ['{"password":"hunter22"}', '{"password":"[secret]"}'],
    ['postgres://ada:secret@db/x', 'postgres://ada:[secret]@db/x'],
    ['mail ada.l@example.co.uk now', 'mail [e-mail] now'],
    ['/Users/ada/app and /home/bob/x', '~/app and ~/x'],
    ['C:\\\\Users\\\\ada\\\\app', '~\\\\app'],
    ['nothing to hide: 12 files, v1.2.3', 'nothing to hide: 12 files, v1.2.3'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7', 'AWS_SECRET_ACCESS_KEY=[secret]'],
    ['{"private_key":"hunter22"}', '{"private_key":"[secret]"}'],
    ['"access_key": "hunter22"', '"access_key": "[secret]"'],
    ['"passphrase":"four words that rhyme"}', '"passphrase":"[secret]"}'],
    ['{\\"secretAccessKey\\":\\"hunter22\\"}', '{\\"secretAccessKey\\":\\"[secret]\\"}'],
    ['mysql --password hunter22 -h db', 'mysql --password [secret] -h db'],
    ["cli --api-key 'hunter22' run", "cli --api-key '[secret]' run"],
    ['DB_PASS=hunter22', 'DB_PASS=[secret]'],
    ['Server=db;Uid=sa;Pwd=hunter22;', 'Server=db;Uid=sa;Pwd=[secret];'],
    ['PWD=/srv/app', 'PWD=/srv/app'],
    ['curl -u ada:hunter22 http://x', 'curl -u ada:[secret] http://x'],
    ['docker run -u 1000:1000 x', 'docker run -u 1000:1000 x'],
    ['Cookie: session=hunter22; id=5', 'Cookie: [secret]'],
    ['Authorization: hunter22hunter22', 'Authorization: [secret]'],
    ['https://x.net/b?se=1&sig=hunter22%3D&sp=r', 'https://x.net/b?se=1&sig=[secret]&sp=r'],
    ['ghr_abcdefghijklmnopqrst', '[key]'],
    ['glptt-abcdefghijklmnopqrst', '[key]'],
    ['xapp-1-A0123-456-abcdefabcdef', '[key]'],
    ['ya29.a0AfH6SMBxabcdefghij', '[key]'],
    ['SG.abcdefghijklmnop.abcdefghijklmnop', '[key]'],
    ['skeletonComponents and npm-run-all-parallel', 'skeletonComponents and npm-run-all-parallel'],
    [
      'src/home/login.ts of https://x.org/home/page',
      'src/home/login.ts of https://x.org/home/page',
    ],
    ['C:\\Users\\John Doe\\x.txt', '~\\x.txt'],
    ['C:/Users/john/x.txt, /mnt/c/Users/john/x', '~/x.txt, ~/x'],
    ['/x/.claude/projects/-home-ada-app/s.jsonl', '/x/.claude/projects/-~-app/s.jsonl'],
    ['/x/projects/C--Users-john-app/s.jsonl', '/x/projects/-~-app/s.jsonl'],
  ])('%s', (text, clean) => expect(redact(text)).toBe(clean))

  it('takes out the key of an account, and perhaps what follows it', () => {
    const clean = redact('AccountName=a;AccountKey=hunter22AAAA==;x')
    expect(clean).toMatch(/^AccountName=a;AccountKey=\[secret\](?:;x)?$/)
  })

  it('leaves a count alone', () => {
    expect(redact('3 tests pass: 1200 ms')).toBe('3 tests pass: 1200 ms')
  })

  it('takes out the home folder wherever it is, but no part of another name', () => {
    expect(redact('/data/people/ada/app', '/data/people/ada')).toBe('~/app')
    expect(redact('cd /data/people/ada. Then', '/data/people/ada')).toBe('cd ~. Then')
    expect(redact('/root/x /var/lib/rootfs /app/root/x /rootfs', '/root')).toBe(
      '~/x /var/lib/rootfs /app/root/x /rootfs',
    )
    const project = '/p/-data-people-ada-l-app/s.jsonl'
    expect(redact(project, '/data/people/ada.l')).toBe('/p/-~-app/s.jsonl')
  })

  it('finds its way through long texts that look like secrets', () => {
    const text = `${'a'.repeat(50_000)}@${'b.'.repeat(50_000)}c ada@example.org password ${'='.repeat(20_000)} --${'a-'.repeat(20_000)} ${'C:/Users/'.repeat(9000)} ${'token:"'.repeat(9000)} ${'-u a:'.repeat(9000)} end`
    const clean = redact(text)
    expect(clean).not.toContain('ada@example.org')
    expect(clean).toMatch(/^a+.*end$/s)
  })
})

describe('amounts on the command line', () => {
  it.each(['7', '30', '2026', 'yesterday', '2026-13-01', '', '-3d'])(
    'refuse --since %j',
    (text) => {
      expect(() => toSince(text, 0)).toThrow('--since takes')
    },
  )

  it('take times ago and dates', () => {
    expect(toSince('2d', 3 * 86_400_000)).toBe(86_400_000)
    expect(toSince('2026-11-01', 0)).toBe(Date.parse('2026-11-01'))
    expect(toSince('2026-11-01T10:00:00Z', 0)).toBe(Date.parse('2026-11-01T10:00:00Z'))
  })

  it.each(['', '$', 'much', '-5', '_'])('refuse --min-wasted %j', (text) => {
    expect(() => toLeast(text)).toThrow('--min-wasted takes')
  })
})
