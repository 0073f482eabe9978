import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Provider, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'

const open: Provider[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()))
})

/** A cloned folder with this configuration, and a person whose home is elsewhere. */
function clone(name: string, content: string) {
  const home = emptyFolder()
  const cwd = emptyFolder()
  const path = join(cwd, name)
  writeFileSync(path, content)
  const transcript = join(emptyFolder(), 'run.jsonl')
  writeFileSync(transcript, '{"type":"text","text":"hi"}\n')
  const state = join(home, '.local/state/unloop')
  return {
    home,
    cwd,
    path,
    transcript,
    trustFile: join(state, 'trust.json'),
    run: (args: string[], env: NodeJS.ProcessEnv = {}, at = cwd) =>
      unloop(
        args.map((arg) => (arg === 'run.jsonl' ? transcript : arg)),
        { cwd: at, env: { HOME: home, ...env } },
      ),
  }
}

/** Code that leaves a trace when it runs; no two are the same module. */
const traced = (ends: string) => {
  const trace = join(emptyFolder(), 'ran')
  const code = `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(trace)}, 'ran')
export default { preset: 'deepv' }
`
  return { ...clone(`unloop.config.${ends}`, code), code, hasRun: () => existsSync(trace) }
}

const commands: Record<string, string[]> = {
  check: ['check', 'run.jsonl'],
  scan: ['scan', 'run.jsonl'],
  'scan --watch': ['scan', '--watch', 'run.jsonl'],
  tune: ['tune', 'run.jsonl'],
  'chat -p': ['chat', '-p', 'hello'],
  'chat --json': ['chat', '--json', '-p', 'hello'],
}

describe.each(['ts', 'mts', 'js', 'mjs'])('a configuration in .%s of a folder', (ends) => {
  it.each(Object.entries(commands))('is not run by %s before it is trusted', async (_, args) => {
    const { run, hasRun, path, cwd } = traced(ends)
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout, ran: hasRun() }).toEqual({ code: 2, stdout: '', ran: false })
    expect(stderr).toContain(`${path} is not trusted. It would\n  - run code with your permissions`)
    expect(stderr).toContain(`unloop trust ${cwd}\n`)
  })

  it('runs once it is trusted, and not any more when it has changed', async () => {
    const { run, hasRun, path, code } = traced(ends)
    const shown = await run(['trust'])
    expect({ code: shown.code, ran: hasRun() }).toEqual({ code: 1, ran: false })
    expect(shown.stdout).toContain('  | export default')
    expect(shown.stderr).toContain('--yes')
    expect((await run(['trust', '--yes'])).code).toBe(0)
    expect(hasRun()).toBe(false)
    expect((await run(['check', 'run.jsonl'])).code).toBe(0)
    expect(hasRun()).toBe(true)

    writeFileSync(path, `${code}// more`)
    const changed = await run(['check', 'run.jsonl'])
    expect(changed.code).toBe(2)
    expect(changed.stderr).toContain(`${path} has changed since you trusted it`)
    expect((await run(['trust', '--yes'])).stdout).toContain('has changed since you trusted it')
    expect((await run(['check', 'run.jsonl'])).code).toBe(0)
  })

  it('runs with --trust, this once, and is left out with --no-trust', async () => {
    const { run, hasRun } = traced(ends)
    expect((await run(['check', '--no-trust', 'run.jsonl'])).code).toBe(0)
    expect(hasRun()).toBe(false)
    expect((await run(['check', '--trust', 'run.jsonl'])).code).toBe(0)
    expect(hasRun()).toBe(true)
    expect((await run(['check', 'run.jsonl'])).code).toBe(2)
  })

  it('is the person’s own when they name it, or in their home folder', async () => {
    const named = traced(ends)
    expect((await named.run(['check', '--config', named.path, 'run.jsonl'])).code).toBe(0)
    expect(named.hasRun()).toBe(true)
    const owned = traced(ends)
    expect((await owned.run(['check', 'run.jsonl'], { HOME: owned.cwd })).code).toBe(0)
    expect(owned.hasRun()).toBe(true)
  })

  it('is not read if it is a device, a folder, or too large for one', async () => {
    const { cwd, path, run } = clone('unloop.config.json', '{}')
    rmSync(path)
    // a device of one's own: /dev/zero belongs to another user, whose files are not used at all
    execFileSync('mkfifo', [path])
    const device = await run(['check', 'run.jsonl'])
    expect([device.code, device.stderr]).toEqual([2, expect.stringContaining('not a regular file')])
    rmSync(path)
    writeFileSync(path, `{"mode":"${'x'.repeat(1_000_001)}"}`)
    expect((await run(['check', 'run.jsonl'])).stderr).toContain('has at most 1000000')
    rmSync(path)
    writeFileSync(join(cwd, 'other'), 'SECRET_TOKEN=1')
    symlinkSync(join(cwd, 'other'), path)
    const linked = await run(['check', 'run.jsonl'])
    expect([linked.code, linked.stderr]).toEqual([2, expect.not.stringContaining('SECRET')])
  })

  it('is nobody’s own because HOME is empty or relative', async () => {
    const { run, hasRun } = traced(ends)
    const before = process.env.HOME
    try {
      for (const HOME of ['', '.']) {
        // Node asks the environment of the process, too
        process.env.HOME = HOME
        expect((await run(['check', 'run.jsonl'], { HOME })).code).toBe(2)
      }
    } finally {
      process.env.HOME = before
    }
    expect(hasRun()).toBe(false)
  })
})

describe('trust', () => {
  it('is not inherited by a folder that is moved, copied, or put in the place of a trusted one', async () => {
    const { run, cwd, hasRun } = traced('mjs')
    await run(['trust', '--yes'])
    const other = join(emptyFolder(), 'copy')
    cpSync(cwd, other, { recursive: true })
    expect((await run(['check', 'run.jsonl'], {}, other)).code).toBe(2)
    // the trusted path is a link to another folder now
    renameSync(cwd, `${cwd}-moved`)
    symlinkSync(other, cwd)
    expect((await run(['check', 'run.jsonl'])).code).toBe(2)
    expect((await run(['check', 'run.jsonl'], {}, `${cwd}-moved`)).code).toBe(2)
    rmSync(cwd)
    renameSync(`${cwd}-moved`, cwd)
    expect(hasRun()).toBe(false)
    expect((await run(['check', 'run.jsonl'])).code).toBe(0)
  })

  it('holds below the folder, whatever link leads there', async () => {
    const { run, cwd } = traced('mjs')
    mkdirSync(join(cwd, 'a/b'), { recursive: true })
    const link = join(emptyFolder(), 'link')
    symlinkSync(cwd, link)
    await run(['trust', '--yes'], {}, join(cwd, 'a/b'))
    expect((await run(['check', 'run.jsonl'])).code).toBe(0)
    expect((await run(['check', 'run.jsonl'], {}, link)).code).toBe(0)
  })

  it('is kept for the person alone', async () => {
    const { run, trustFile } = traced('mjs')
    await run(['trust', '--yes'])
    expect(statSync(trustFile).mode & 0o777).toBe(0o600)
  })

  it('is never read from the folder, whatever UNLOOP_HOME says', async () => {
    const { run, cwd, trustFile } = traced('mjs')
    await run(['trust', '--yes'])
    mkdirSync(join(cwd, '.unloop/unloop'), { recursive: true })
    cpSync(trustFile, join(cwd, '.unloop/trust.json'))
    cpSync(trustFile, join(cwd, '.unloop/unloop/trust.json'))
    for (const name of ['UNLOOP_HOME', 'XDG_STATE_HOME']) {
      const env = { HOME: emptyFolder(), [name]: '.unloop' }
      expect((await run(['check', 'run.jsonl'], env)).code).toBe(2)
    }
  })

  it('is not given inside an agent', async () => {
    const { run, hasRun } = traced('mjs')
    for (const env of [{ CLAUDECODE: '1' }, { CODEX_THREAD_ID: '01a1' }]) {
      const { code, stderr } = await run(['trust', '--yes'], env)
      expect(code).toBe(2)
      expect(stderr).toContain('only a person can trust a configuration')
      expect((await run(['trust', '--json'], env)).code).toBe(1)
    }
    expect((await run(['check', 'run.jsonl'])).code).toBe(2)
    expect(hasRun()).toBe(false)
  })

  it('is listed, and withdrawn', async () => {
    const { run, cwd, path } = traced('mjs')
    expect((await run(['trust', '--list'])).stdout).toContain('not trusted anything yet')
    await run(['trust', '--yes'])
    expect((await run(['trust', '--list'])).stdout).toMatch(new RegExp(`^\\S+  ${path}\n$`))
    expect(jsonLines((await run(['trust', '--list', '--json'])).stdout)).toMatchObject([
      { path, trust: 'trusted' },
    ])
    writeFileSync(path, 'export default {}')
    expect((await run(['trust', '--list'])).stdout).toContain('(changed)')
    rmSync(path)
    expect((await run(['trust', '--list'])).stdout).toContain('(gone)')
    expect((await run(['trust', '--remove', cwd])).stdout).toContain(`No longer trusted: ${path}`)
    expect((await run(['trust', '--remove', cwd])).stdout).toContain('Nothing in')
    expect((await run(['trust', '--list', '--json'])).stdout).toBe('')
  })

  it('is told as JSON, without a question', async () => {
    const { run, path } = traced('mjs')
    const before = await run(['trust', '--json'])
    expect(before).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(before.stdout)).toMatchObject({
      path,
      trust: 'untrusted',
      parts: [{ name: 'code' }],
    })
    expect(JSON.parse((await run(['trust', '--json', '--yes'])).stdout).trust).toBe('trusted')
    expect((await run(['trust', '--json'])).code).toBe(0)
  })

  it.each([
    ['is damaged', (path: string) => writeFileSync(path, '{'), 'it is damaged'],
    ['is of another kind', (path: string) => writeFileSync(path, '[]'), 'it is damaged'],
    [
      'has entries that are none',
      (path: string) => writeFileSync(path, '{"version":1,"trusted":{"/a":true}}'),
      'it is damaged',
    ],
    ['can be written by others', (path: string) => chmodSync(path, 0o666), 'other users can write'],
    [
      'is a folder',
      (path: string) => {
        rmSync(path)
        mkdirSync(path)
      },
      'EISDIR',
    ],
  ])('is refused where its file %s', async (_, spoil, message) => {
    const { run, hasRun, trustFile } = traced('mjs')
    await run(['trust', '--yes'])
    spoil(trustFile)
    for (const args of [
      ['check', 'run.jsonl'],
      ['trust', '--yes'],
      ['trust', '--list'],
    ]) {
      const { code, stderr } = await run(args)
      expect(code).toBe(2)
      expect(stderr).toContain(trustFile)
      expect(stderr).toContain(message)
    }
    expect(hasRun()).toBe(false)
    expect((await run(['check', '--trust', 'run.jsonl'])).code).toBe(0)
  })

  it('cannot be given where nothing can be remembered', async () => {
    const { run, home, hasRun } = traced('mjs')
    writeFileSync(join(home, '.local'), 'in the way')
    const { code, stderr } = await run(['trust', '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain('cannot remember this')
    expect(stderr).toContain('--trust')
    expect(hasRun()).toBe(false)
  })

  it('says what does not go together, and what is not there', async () => {
    const { run } = traced('mjs')
    expect((await run(['trust', '--yes', '--list'])).stderr).toContain('cannot be combined')
    expect(await run(['trust', 'none'])).toMatchObject({ code: 2 })
    expect((await unloop(['trust'])).stdout).toContain('No configuration')
  })
})

describe('a configuration in JSON of a folder', () => {
  const keys = {
    OPENAI_API_KEY: 'key-of-openai',
    ANTHROPIC_API_KEY: 'key-of-anthropic',
    GEMINI_API_KEY: 'key-of-google',
    OLLAMA_API_KEY: 'key-of-ollama',
  }
  const models = ['openai/m', 'anthropic/m', 'google/m', 'ollama/m', 'compatible/m']

  async function server() {
    const provider = await startProvider(() => ({ text: 'Hello.' }))
    open.push(provider)
    return provider
  }

  it.each(models)('sends no key of %s anywhere before it is trusted', async (model) => {
    const provider = await server()
    for (const config of [
      { baseUrl: provider.url },
      { model, baseUrl: provider.url },
      { model, baseUrl: provider.url, judge: { model } },
    ]) {
      const { run } = clone('unloop.config.json', JSON.stringify(config))
      for (const args of [[], ['--model', model], ['--json', '--model', model]]) {
        const { code, stdout } = await run(['chat', '-p', 'Hi.', ...args], keys)
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      }
    }
    expect(provider.exchanges).toEqual([])
  })

  it('says where the key would go, with the real host first', async () => {
    const baseUrl = 'https://api.openai.com:x@evil.example/v1'
    const { run } = clone('unloop.config.json', JSON.stringify({ model: 'openai/m', baseUrl }))
    const { code, stderr } = await run(['chat', '-p', 'Hi.'], keys)
    expect(code).toBe(2)
    expect(stderr).toContain('send your key for openai and conversations to evil.example (')
    expect(stderr).toContain('send conversations to the model openai/m')
  })

  it('uses the address once it is trusted, for the provider beside it alone', async () => {
    const provider = await server()
    const anthropic = await server()
    const config = { model: 'openai/m', baseUrl: `${provider.url}/v1` }
    const { run, path } = clone('unloop.config.json', JSON.stringify(config))
    const env = { ...keys, ANTHROPIC_BASE_URL: anthropic.url }
    await run(['trust', '--yes'])
    expect((await run(['chat', '-p', 'Hi.'], env)).stdout).toBe('Hello.\n')
    expect(JSON.stringify(provider.exchanges)).toContain('key-of-openai')
    expect((await run(['chat', '-p', 'Hi.', '-m', 'anthropic/m'], env)).stdout).toBe('Hello.\n')
    expect(anthropic.exchanges).toHaveLength(1)
    expect(JSON.stringify(provider.exchanges)).not.toContain('key-of-anthropic')

    // other settings are free to change, and these are not
    writeFileSync(path, JSON.stringify({ ...config, maxTurns: 3 }))
    expect((await run(['chat', '-p', 'Hi.'], env)).code).toBe(0)
    writeFileSync(path, JSON.stringify({ ...config, baseUrl: `${provider.url}/v2` }))
    const changed = await run(['chat', '-p', 'Hi.'], env)
    expect(changed.code).toBe(2)
    expect(changed.stderr).toContain('has changed since you trusted it')
  })

  it.each([
    ['model', { model: 'openai/m' }],
    ['judge', { judge: { model: 'anthropic/m' } }],
    ['second judge', { judge: { model: 'embedded', confirm: 'google/m' } }],
  ])('names no %s before it is trusted', async (_, config) => {
    const { run } = clone('unloop.config.json', JSON.stringify(config))
    expect((await run(['chat', '-p', 'Hi.'], keys)).code).toBe(2)
    expect((await run(['chat', '--no-trust', '-p', 'Hi.'], keys)).code).toBe(0)
  })

  const LOOP = '{"type":"tool-call","name":"read","args":{"path":"a"}}\n'
  // the person would not hear of a loop that the guard by itself finds after eight calls
  const LENIENT = [
    { preset: 'deepv' },
    { detectors: { 'repeated-call': { limit: 90 } } },
    { detectors: { 'repeated-call': false } },
    { tools: { read: { allow: 'always' } } },
  ]

  it.each(LENIENT)('makes no guard more lenient before it is trusted: %j', async (config) => {
    const { run, transcript, path } = clone('unloop.config.json', JSON.stringify(config))
    writeFileSync(transcript, LOOP.repeat(8))
    const findings = ({ stdout }: { stdout: string }) =>
      jsonLines(stdout).map(({ finding }) => finding.detector)
    const check = (...args: string[]) => run(['check', '--json', 'run.jsonl', ...args])
    const plain = await check('--no-trust')
    expect(findings(plain)).toContain('repeated-call')
    expect(plain.stderr).not.toContain('trust')
    const ignored = await check()
    expect(ignored.stdout).toBe(plain.stdout)
    expect(ignored.stderr.split(`${path} is not trusted. It would`)).toHaveLength(2)
    expect(ignored.stderr).toContain('This is ignored')
    const once = await check('--trust')
    expect(once.stdout).not.toBe(plain.stdout)
    await run(['trust', '--yes'])
    const trusted = await check()
    expect([trusted.stdout, trusted.stderr]).toEqual([once.stdout, once.stderr])
    // the same, written in another order
    const turned = Object.fromEntries(Object.entries({ ...config, mode: 'enforce' }).reverse())
    writeFileSync(path, JSON.stringify(turned))
    expect((await check()).stdout).toBe(once.stdout)
    writeFileSync(path, JSON.stringify({ ...config, ladder: ['warn', 'warn', 'stop'] }))
    const changed = await check()
    expect(changed.stdout).toBe(plain.stdout)
    expect(changed.stderr).toContain('has changed since you trusted it')
  })

  it.each(['off', 'observe'])(
    'does not keep scan, run and chat from acting with mode %s',
    async (mode) => {
      const config = { mode, maxTurns: 5000, detectors: { 'repeated-call': false } }
      const { run, transcript } = clone('unloop.config.json', JSON.stringify(config))
      writeFileSync(transcript, LOOP.repeat(8))
      const scanned = await run(['scan', '--format', 'json', 'run.jsonl'])
      expect(JSON.parse(scanned.stdout).runs[0].loops[0].detector).toBe('repeated-call')
      expect(scanned.stderr).toContain('detectors {"repeated-call":false}')
      const chat = await run(['chat', '-p', '/stuck failing'])
      expect(chat.code).toBe(3)
      expect(chat.stderr).toContain('let a prompt take more turns (maxTurns 5000)')
      const tuned = await run(['tune', 'run.jsonl'])
      expect(tuned.stderr).toContain('is not trusted')
    },
  )

  it('needs no trust for what is harmless, nor where the rest is not used', async () => {
    const config = { model: 'openai/m', baseUrl: 'http://127.0.0.1:1/v1' }
    const { run, transcript } = clone('unloop.config.json', JSON.stringify(config))
    writeFileSync(transcript, LOOP.repeat(8))
    const { code, stderr } = await run(['check', '--json', 'run.jsonl'])
    expect(code).toBe(1)
    expect(stderr).not.toContain('trust')
    const harmless = clone(
      'unloop.config.json',
      JSON.stringify({
        detectors: { failing: true },
        budget: { tokens: 100_000 },
        mode: 'enforce',
        maxTurns: 9,
        model: 'embedded',
      }),
    )
    expect(await harmless.run(['chat', '-p', 'Hi.'])).toMatchObject({ code: 0 })
    expect((await harmless.run(['trust'])).stdout).toContain('Nothing in it needs trust')
  })

  it('shows each tool and detector that needs trust, what allows the most first', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `get_build_status_${index}`)
    const tools = Object.fromEntries(names.map((name) => [name, { effect: 'reads' }]))
    const { run } = clone(
      'unloop.config.json',
      JSON.stringify({
        tools: { ...tools, Edit: { allow: 50 }, Bash: { allow: 'always' } },
        detectors: { 'call-flood': { limit: 3 }, failing: false },
      }),
    )
    const { stdout } = await run(['trust'])
    const lines = stdout.split('\n').filter((line) => line.startsWith('  - '))
    expect(lines.find((line) => line.includes('tools'))).toContain('"Bash":{"allow":"always"}')
    expect(stdout.indexOf('"Bash"')).toBeLessThan(stdout.indexOf('"Edit"'))
    expect(stdout.indexOf('"Edit"')).toBeLessThan(stdout.indexOf('"get_build_status_0"'))
    expect(stdout.indexOf('"failing":false')).toBeLessThan(stdout.indexOf('"call-flood"'))
    expect(stdout).toContain('change 12 more tools: read the file')
  })

  it('never takes the place of what the person has set', async () => {
    const { run, home, transcript } = clone('unloop.config.json', '{"detectors":{"failing":true}}')
    const own = { detectors: { 'repeated-call': false } }
    writeFileSync(join(home, 'unloop.config.json'), JSON.stringify(own))
    writeFileSync(transcript, LOOP.repeat(8))
    const { stdout } = await run(['check', '--json', 'run.jsonl'])
    expect(stdout).not.toContain('repeated-call')
  })

  it('is the person’s word when they give an address themselves', async () => {
    const provider = await server()
    const { run } = clone('unloop.config.json', '{}')
    const args = ['--model', 'openai/m', '--base-url', `${provider.url}/v1`]
    expect((await run(['chat', '-p', 'Hi.', ...args], keys)).stdout).toBe('Hello.\n')
  })

  it('shows its words without what a terminal would obey', async () => {
    const { run } = clone(
      'unloop.config.json',
      JSON.stringify({ model: 'openai/\x1b[2Jm\nTrusted.' }),
    )
    const { stderr } = await run(['chat', '-p', 'Hi.'])
    expect(stderr).not.toContain('\x1b')
    expect(stderr).not.toMatch(/^Trusted/m)
  })

  it('is trusted as readable JSON by others', async () => {
    const { run, trustFile, path } = clone('unloop.config.json', '{"model":"openai/m"}')
    await run(['trust', '--yes'])
    expect(JSON.parse(readFileSync(trustFile, 'utf8'))).toEqual({
      version: 1,
      trusted: { [path]: { hash: expect.any(String), at: expect.any(String) } },
    })
  })
})
