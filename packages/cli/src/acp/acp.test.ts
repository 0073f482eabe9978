import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Permit, startEditor, times } from '../../test/acp/editor.js'
import { emptyFolder, unloop } from '../../test/host.js'

type Editor = Awaited<ReturnType<typeof startEditor>>

const open: Editor[] = []
afterEach(async () => {
  for (const editor of open.splice(0)) await editor.close()
})

async function start(permit?: Permit, options?: Parameters<typeof startEditor>[1]) {
  const editor = await startEditor(permit, options)
  open.push(editor)
  return editor
}

const healthy = Array.from({ length: 20 }, (_, at) => `new:cat_file-${at}`).join(' ')

const stopReason = async (answer: Promise<{ result?: { stopReason: string } }>) =>
  (await answer).result?.stopReason

describe('a loop of calls that nobody permits', () => {
  it('asks the person, and ends the turn at the next call if they do not answer', async () => {
    const editor = await start(() => undefined)
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
    expect(editor.calls(session)).toBe(6)
    const [question] = editor.questions()
    expect(question?.params.sessionId).toBe(session)
    expect(question?.params.toolCall.title).toMatch(/^unloop: the agent is stuck: shell was called/)
    expect(question?.params.options.map(({ kind }: { kind: string }) => kind)).toEqual([
      'reject_once',
      'allow_once',
      'allow_always',
    ])
    expect(editor.text(session)).toMatch(/unloop stopped this turn.*To go on, send a prompt/s)
  })

  it('ends the turn if the person says so', async () => {
    const editor = await start(() => 'stop')
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
    expect(editor.calls(session)).toBe(5)
    expect(editor.questions()).toHaveLength(1)
  })

  it('goes on if the person allows the tool to repeat', async () => {
    const editor = await start(() => 'allow')
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('end_turn')
    expect(editor.calls(session)).toBe(20)
    expect(editor.questions()).toHaveLength(1)
  })

  it('continues once, and no further if nobody can have read the question', async () => {
    const editor = await start(() => 'continue-once')
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
    expect(editor.questions()).toHaveLength(2)
    expect(editor.text(session)).toContain('answers permission requests by itself')
  })

  it('ends the turn if the editor cannot show a question', async () => {
    const editor = await start(() => ({ code: -32601, message: 'Method not found' }))
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
    const again = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
    expect(await stopReason(editor.prompt(again, 'say:hello'))).toBe('end_turn')
    expect(editor.questions()).toHaveLength(1)
  })

  it('is told as a notice where the editor has notices', async () => {
    const capabilities = { session: { notices: {} } }
    const editor = await start(() => 'stop', { capabilities })
    const session = await editor.newSession()
    await editor.prompt(session, times(20, 'run:make'))
    const notice = editor.updates(session).find((update) => update.sessionUpdate === 'notice')
    expect(notice).toMatchObject({ severity: 'warning', title: 'unloop stopped this turn' })
    expect(editor.text(session)).toBe('')
  })

  it('tells the model with the next prompt, once', async () => {
    const editor = await start(() => 'stop')
    const session = await editor.newSession()
    await editor.prompt(session, times(20, 'run:make'))
    const { result } = await editor.prompt(session, 'say:hello')
    expect(result._meta.blocks).toHaveLength(2)
    expect(result._meta.blocks[1].text).toMatch(/A note from unloop/)
    const later = await editor.prompt(session, 'say:hello')
    expect(later.result._meta.blocks).toHaveLength(1)
  })
})

describe('a loop of calls that the person permits', () => {
  it('refuses a call, and says why to the person at once and to the model with the next prompt', async () => {
    const editor = await start(({ params }) => params.options[0].optionId)
    const session = await editor.newSession()
    await editor.prompt(session, `${times(4, 'ask:make')} new:ls new:ls`)
    expect(editor.permissions()).toHaveLength(3)
    expect(editor.questions()).toHaveLength(0)
    expect(editor.text(session)).toMatch(/unloop refused a call.*shell was called/s)
    expect(editor.calls(session)).toBe(5)
    const { result } = await editor.prompt(session, 'say:hello')
    expect(result._meta.blocks[1].text).toMatch(/A note from unloop/)
  })

  it('holds the request until the person has decided, and shows it if they continue', async () => {
    const asked: string[] = []
    const editor = await start(({ params }) => {
      const isOurs = params.toolCall.toolCallId.startsWith('unloop')
      asked.push(isOurs ? 'loop' : 'call')
      return isOurs ? 'allow' : 'yes'
    })
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(10, 'ask:make')))).toBe('end_turn')
    // the fourth is refused; the question comes before the fifth
    expect(asked).toEqual(['call', 'call', 'call', 'loop', ...Array(6).fill('call')])
  })

  it('answers the request itself if the person stops the turn', async () => {
    const editor = await start(({ params }) =>
      params.toolCall.toolCallId.startsWith('unloop') ? 'stop' : 'yes',
    )
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(10, 'ask:make')))).toBe('cancelled')
    expect(editor.permissions()).toHaveLength(4)
    expect(editor.calls(session)).toBe(3)
  })

  it('lets the editor cancel while it waits', async () => {
    const editor = await start(({ params }) => {
      if (!params.toolCall.toolCallId.startsWith('unloop')) return 'yes'
      editor.write({ method: 'session/cancel', params: { sessionId: params.sessionId } })
      return undefined
    })
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(10, 'ask:make')))).toBe('cancelled')
    expect(editor.text(session)).not.toContain('stopped this turn')
  })
})

describe('text', () => {
  it('that repeats itself ends the turn', async () => {
    const editor = await start(() => undefined)
    const session = await editor.newSession()
    const chant = 'say:I_will_now_fix_the_bug_in_the_parser.'
    expect(await stopReason(editor.prompt(session, times(200, chant)))).toBe('cancelled')
    expect(editor.text(session)).toContain('unloop stopped this turn')
  })
})

describe('sessions', () => {
  it('are watched apart from each other', async () => {
    const editor = await start(() => undefined)
    const [stuck, other] = [await editor.newSession(), await editor.newSession()]
    const reasons = await Promise.all([
      stopReason(editor.prompt(stuck, times(20, 'run:make'))),
      stopReason(editor.prompt(other, healthy)),
    ])
    expect(reasons).toEqual(['cancelled', 'end_turn'])
    expect(editor.text(other)).toBe('')
  })

  it('that are loaded have a past about which nothing is decided', async () => {
    const editor = await start(() => undefined)
    await editor.call('session/load', { sessionId: 'old', cwd: emptyFolder(), mcpServers: [] })
    expect(editor.updates('old')).toHaveLength(21)
    expect(await stopReason(editor.prompt('old', healthy))).toBe('end_turn')
    expect(editor.questions()).toHaveLength(0)
    expect(await stopReason(editor.prompt('old', times(20, 'run:make')))).toBe('cancelled')
  })

  it('that are resumed are watched', async () => {
    const editor = await start(() => undefined)
    await editor.call('session/resume', { sessionId: 'old', cwd: emptyFolder() })
    expect(await stopReason(editor.prompt('old', times(20, 'run:make')))).toBe('cancelled')
  })

  it('that are forked keep what the person allowed', async () => {
    const editor = await start(() => 'allow')
    const session = await editor.newSession()
    await editor.prompt(session, times(8, 'run:make'))
    expect(editor.questions()).toHaveLength(1)
    const { result } = await editor.call('session/fork', { sessionId: session, cwd: '/' })
    expect(await stopReason(editor.prompt(result.sessionId, times(20, 'run:make')))).toBe(
      'end_turn',
    )
    expect(editor.questions()).toHaveLength(1)
    const fresh = await editor.newSession()
    await editor.prompt(fresh, times(8, 'run:make'))
    expect(editor.questions()).toHaveLength(2)
  })
})

describe('the configuration', () => {
  it('of the folder of a session applies to it once it is trusted', async () => {
    const [folder, home] = [emptyFolder(), emptyFolder()]
    const config = { tools: { shell: { allow: 'always' } } }
    writeFileSync(join(folder, 'unloop.config.json'), JSON.stringify(config))
    const editor = await start(() => undefined, { folder: home })
    const ignored = await editor.newSession(folder)
    expect(await stopReason(editor.prompt(ignored, times(20, 'run:make')))).toBe('cancelled')
    expect((await unloop(['trust', folder, '--yes'], { cwd: home })).code).toBe(0)
    const allowed = await editor.newSession(folder)
    const other = await editor.newSession()
    expect(await stopReason(editor.prompt(allowed, times(20, 'run:make')))).toBe('end_turn')
    expect(await stopReason(editor.prompt(other, times(20, 'run:make')))).toBe('cancelled')
  })

  it.each(['observe', 'off'])('with mode %s leaves the agent alone', async (mode) => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'unloop.config.json'), JSON.stringify({ mode }))
    const editor = await start(() => undefined, { folder })
    const session = await editor.newSession()
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('end_turn')
    expect(editor.questions()).toHaveLength(0)
  })

  it('that is broken in the folder of a session does not break the session', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'unloop.config.json'), '{')
    const editor = await start(() => undefined)
    const session = await editor.newSession(folder)
    expect(await stopReason(editor.prompt(session, times(20, 'run:make')))).toBe('cancelled')
  })
})
