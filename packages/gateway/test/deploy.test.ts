import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { run } from '../../cli/src/run.js'
import { createHost, emptyFolder, unloop } from '../../cli/test/host.js'
import { toConfig } from '../src/config/config.js'
import { readConfig } from '../src/config/read.js'
import { createMetrics } from '../src/operator/metrics.js'

const folder = new URL('../deploy/', import.meta.url)
const text = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const config = await readConfig(fileURLToPath(new URL('gateway.yaml', folder)))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const ports = [config.listen.port, config.admin.port]

/** The options that `unloop gateway` has, as its help lists them. */
const options = (await unloop(['gateway', '--help'])).stdout.match(/(?<=^\s+(-\w, )?)--[\w-]+/gm)

/** What a list of arguments says, by option; fails for an option that does not exist. */
function optionsOf(args: readonly string[]): Record<string, string> {
  const words = args.flatMap((word) => word.split(/(?<=^--[\w-]+)=/))
  const given = words.flatMap((word, at) =>
    word.startsWith('--') ? [[word, words[at + 1] ?? '']] : [],
  )
  for (const [name] of given) expect(options).toContain(name)
  return Object.fromEntries(given)
}

// Node's own; the others have to be in the source of the gateway or of its command
const NODE_VARIABLES = ['NODE_ENV', 'NODE_OPTIONS']

const sources = ['../src/', '../../cli/src/commands/']
  .map((path) => new URL(path, import.meta.url))
  .flatMap((url) =>
    readdirSync(url, { recursive: true, encoding: 'utf8' })
      .filter((file) => url.href.includes('/gateway/') || file.startsWith('gateway'))
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => readFileSync(new URL(file, url), 'utf8')),
  )
  .join('\n')

const isRead = (variable: string) =>
  NODE_VARIABLES.includes(variable) || new RegExp(`\\benv\\b.*\\b${variable}\\b`).test(sources)

const UNITS: Record<string, number> = {
  k: 2 ** 10,
  m: 2 ** 20,
  mb: 2 ** 20,
  mi: 2 ** 20,
  g: 2 ** 30,
  gi: 2 ** 30,
}

const toBytes = (size: string): number => {
  const [, amount, unit = ''] = /^(\d+)([a-z]+)$/i.exec(size) ?? []
  return Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
}

const toMs = (duration: string): number => 1000 * Number(/^(\d+)s?$/.exec(duration)?.[1])

const heapOf = (nodeOptions = ''): number =>
  toBytes(`${/--max-old-space-size=(\d+)/.exec(nodeOptions)?.[1]}m`)

describe('gateway.yaml', () => {
  it('is valid, also with every setting that is switched off', () => {
    const all = text('gateway.yaml').replace(/^(\s*)#(?=[^\s#])|^#(?= {2,}\S)/gm, '$1')
    expect(all).not.toBe(text('gateway.yaml'))
    const { upstreams, rules, budget } = toConfig(parse(all))
    expect(upstreams).toHaveLength(config.upstreams.length + 1)
    expect(rules).toHaveLength(1)
    expect(budget.dollars).toBeGreaterThan(0)
  })

  it('has no token, and is reached by this machine alone', () => {
    expect(config.admin.token).toBeUndefined()
    expect([config.listen.host, config.admin.host]).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(new Set([...ports, 0, undefined]).size).toBe(4)
  })
})

const instructions = text('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    return { name, rest }
  })
const all = (name: string) => instructions.filter((one) => one.name === name).map((one) => one.rest)
const imageUser = all('USER').at(-1) ?? ''

describe('Dockerfile', () => {
  it('has instructions that Docker knows', () => {
    const known =
      'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'
    for (const { name, rest } of instructions) {
      expect(known.split(' ')).toContain(name)
      if (['ENTRYPOINT', 'CMD'].includes(name)) expect(Array.isArray(JSON.parse(rest))).toBe(true)
    }
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  it('is made from a pinned Node that the package supports, and from this version', () => {
    const values = Object.fromEntries(all('ARG').map((one) => one.split('=')))
    const images = all('FROM').map((from) => {
      const [image = ''] = from.split(' ')
      return image.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name])
    })
    for (const image of images) {
      const [, major] = /^node:(\d+)-slim$/.exec(image) ?? []
      // even numbers are supported for years
      expect([Number(major) > 20, Number(major) % 2], image).toEqual([true, 0])
    }
    expect(values.UNLOOP_VERSION).toBe(version)
    expect(all('RUN').join()).toContain(`"@unloop/cli@\${UNLOOP_VERSION}"`)
    expect(all('RUN').join()).not.toMatch(/registry|https?:/)
  })

  it('does not run as root, and changes nothing after that', () => {
    expect(imageUser).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    const after = instructions.slice(instructions.findLastIndex(({ name }) => name === 'USER'))
    expect(after.map(({ name }) => name)).not.toContain('RUN')
    expect(after.map(({ name }) => name)).not.toContain('COPY')
  })

  it('starts the gateway on the ports that it exposes', () => {
    expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual(['unloop', 'gateway'])
    const given = optionsOf(JSON.parse(all('CMD')[0] ?? ''))
    expect(given['--host']).toBe('0.0.0.0')
    expect(all('EXPOSE').join().split(' ')).toEqual(ports.map(String))
    expect([toConfig({}).listen.port, Number(given['--admin-port'])]).toEqual(ports)
  })

  it('notices whether the gateway is healthy', async () => {
    const [, command = ''] = /CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0] ?? '') ?? []
    const [program, flag, script] = JSON.parse(command) as string[]
    expect([program, flag]).toEqual(['node', '-e'])
    expect(script).toContain(`http://127.0.0.1:${config.listen.port}/healthz`)
    const isHealthy = async (port: number) => {
      const here = script?.replace(String(config.listen.port), String(port)) ?? ''
      const [code] = await once(spawn(process.execPath, ['-e', here]), 'exit')
      return code === 0
    }
    let status = 200
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await isHealthy(port)).toBe(true)
    status = 503
    expect(await isHealthy(port)).toBe(false)
    server.close()
    await once(server, 'close')
    expect(await isHealthy(port)).toBe(false)
  })
})

interface ComposeService {
  image: string
  build?: { context: string; args: Record<string, string> }
  user?: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  mem_limit: string
}

interface Compose {
  services: Record<'balancer' | 'gateway-1' | 'gateway-2' | 'redis', ComposeService>
  networks: Record<string, { internal?: boolean }>
}

describe('compose.yaml', () => {
  const { services, networks } = parse(text('compose.yaml'), { merge: true }) as Compose
  const { balancer, redis } = services
  const gateways = [services['gateway-1'], services['gateway-2']]
  const each = Object.values(services)

  it('pins every image', () => {
    for (const { image, build } of each) {
      expect(image).toMatch(build ? `unloop-gateway:${version}` : /^[a-z]+:\d+\.\d+-alpine$/)
      expect(build?.args ?? { UNLOOP_VERSION: version }).toEqual({ UNLOOP_VERSION: version })
    }
    expect(redis.image).toMatch(/^redis:7\./)
    // `resolve` of nginx.conf is new in 1.27.3
    expect(Number(/^nginx:1\.(\d+)/.exec(balancer.image)?.[1])).toBeGreaterThan(27)
  })

  it('names services, networks and files that exist', () => {
    for (const service of each) {
      for (const network of service.networks) expect(networks).toHaveProperty(network)
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        const other = services[name as keyof typeof services]
        expect(condition).toBe('service_healthy')
        expect(other.healthcheck ?? (other.build && all('HEALTHCHECK')[0])).toBeTruthy()
        expect(other.networks.some((network) => service.networks.includes(network))).toBe(true)
      }
      for (const volume of service.volumes ?? []) {
        const [file = '', , mode] = volume.split(':')
        expect(existsSync(new URL(file, folder)), file).toBe(true)
        expect(mode).toBe('ro')
      }
    }
  })

  it('starts gateways that can be reached, with the mounted configuration and the same Redis', () => {
    for (const { command = [], volumes = [], depends_on } of gateways) {
      const given = optionsOf(command)
      expect(volumes).toEqual([`./gateway.yaml:${given['--config']}:ro`])
      expect(given['--host']).toBe('0.0.0.0')
      const { protocol, hostname, port } = new URL(given['--store'] ?? '')
      expect([protocol, port]).toEqual(['redis:', '6379'])
      expect(depends_on).toHaveProperty(hostname)
    }
  })

  it('wants a token, and sets only what somebody reads', () => {
    for (const { environment = {}, mem_limit } of gateways) {
      expect(environment.UNLOOP_GATEWAY_TOKEN).toMatch(/^\$\{UNLOOP_GATEWAY_TOKEN:\?.+\}$/)
      for (const name of Object.keys(environment)) expect(isRead(name), name).toBe(true)
      expect(heapOf(environment.NODE_OPTIONS)).toBeLessThanOrEqual(0.8 * toBytes(mem_limit))
    }
  })

  it('is open to this machine alone, unless told otherwise', () => {
    const published = Object.entries(services).flatMap(([name, service]) =>
      (service.ports ?? []).map((port) => `${name} ${port}`),
    )
    const [traffic, admin] = ports
    expect(published).toEqual([
      `balancer \${UNLOOP_GATEWAY_BIND:-127.0.0.1}:${traffic}:${traffic}`,
      expect.stringMatching(`^gateway-1 127\\.0\\.0\\.1:\\d+:${admin}$`),
      expect.stringMatching(`^gateway-2 127\\.0\\.0\\.1:\\d+:${admin}$`),
    ])
    expect(new Set(published.map((one) => one.split(':').at(-2))).size).toBe(3)
    expect(redis.networks.map((name) => networks[name]?.internal)).toEqual([true])
  })

  it('lets Redis drop sessions instead of refusing them', () => {
    const [program, ...args] = redis.command ?? []
    expect(program).toBe('redis-server')
    const given = Object.fromEntries(
      args.flatMap((word, at) => (word.startsWith('--') ? [[word, args[at + 1]]] : [])),
    )
    expect(given['--maxmemory-policy']).toMatch(/^volatile-(lru|lfu|ttl)$/)
    expect(toBytes(given['--maxmemory'] ?? '')).toBeLessThan(toBytes(redis.mem_limit))
    expect([given['--save'], given['--appendonly']]).toEqual(['', 'no'])
  })

  it('gives running answers the time to finish', () => {
    for (const { stop_grace_period = '' } of [balancer, ...gateways]) {
      expect(toMs(stop_grace_period)).toBeGreaterThan(config.limits.drainMs)
    }
  })

  it('gives no container more rights than it needs', () => {
    for (const { read_only, cap_drop, security_opt, user, build } of each) {
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(user ?? (build && imageUser)).toMatch(/^(?!root|0\b)./)
    }
  })

  describe('with nginx.conf', () => {
    const nginx = text('nginx.conf').replace(/#.*/g, '')
    const settingOf = (name: string) =>
      new RegExp(`^\\s*${name} (.*);$`, 'm').exec(nginx)?.[1] ?? ''

    it('asks every gateway on its port', () => {
      const names = Object.keys(services).filter((name) => name.startsWith('gateway'))
      const servers = [...nginx.matchAll(/^\s*server (\S+) resolve\b/gm)].map(([, name]) => name)
      expect(servers).toEqual(names.map((name) => `${name}:${config.listen.port}`))
      const [, group] = /upstream (\w+) \{/.exec(nginx) ?? []
      expect(settingOf('proxy_pass')).toBe(`http://${group}`)
      for (const one of gateways)
        expect(one.networks).toEqual(expect.arrayContaining(balancer.networks))
      expect(balancer.ports?.join()).toMatch(new RegExp(`:${settingOf('listen')}$`))
      expect(balancer.healthcheck?.test.at(-1)).toBe(
        `http://127.0.0.1:${settingOf('listen')}/healthz`,
      )
    })

    it('is no stricter than the gateways, and holds nothing back', () => {
      expect(toBytes(settingOf('client_max_body_size'))).toBeGreaterThanOrEqual(
        config.limits.bodyBytes,
      )
      const [count = '', size = ''] = settingOf('large_client_header_buffers').split(' ')
      expect(Number(count) * toBytes(size)).toBeGreaterThanOrEqual(config.limits.headerBytes)
      for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
        expect(toMs(settingOf(name)), name).toBeGreaterThan(config.limits.idleMs)
      }
      expect(nginx).toMatch(/proxy_set_header Upgrade \$http_upgrade;/)
      expect([settingOf('proxy_buffering'), settingOf('proxy_request_buffering')]).toEqual([
        'off',
        'off',
      ])
    })

    it('writes only where it may', () => {
      expect(balancer).toMatchObject({ tmpfs: ['/tmp'] })
      const paths = [...nginx.matchAll(/^\s*(?:pid|\w+_temp_path) (\S+);/gm)].map(
        ([, path]) => path,
      )
      expect(paths).toHaveLength(6)
      for (const path of paths) expect(path).toMatch(/^\/tmp\//)
      expect(settingOf('error_log')).toMatch(/^stderr\b/)
      expect(settingOf('access_log')).toBe('off')
    })
  })
})

type Labels = Record<string, string>
interface Port {
  name: string
  port: number
  targetPort: string
}
interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  image: string
  args: string[]
  env: {
    name: string
    value?: string
    valueFrom?: { secretKeyRef: { name: string; key: string } }
  }[]
  ports: { name: string; containerPort: number }[]
  volumeMounts: { name: string; mountPath: string; readOnly: boolean }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  lifecycle: { preStop: { exec: { command: string[] } } }
  resources: { requests: Labels; limits: Labels }
  securityContext: unknown
}
interface Pod {
  automountServiceAccountToken: boolean
  terminationGracePeriodSeconds: number
  securityContext: Record<string, unknown>
  topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[]
  containers: [Container]
  volumes: { name: string; configMap: { name: string } }[]
}
interface Kind<Spec> {
  kind: string
  metadata: { name: string }
  spec: Spec
}

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(text('kubernetes.yaml')).filter(({ contents }) => contents)
  const objects = documents.map((document) => document.toJS() as Kind<unknown>)
  const find = <Spec>(kind: string, name = 'unloop-gateway') =>
    objects.find((one) => one.kind === kind && one.metadata.name === name) as Kind<Spec>

  const deployment = find<{
    replicas?: number
    selector: { matchLabels: Labels }
    template: { metadata: { labels: Labels; annotations: Labels }; spec: Pod }
  }>('Deployment')
  const { metadata, spec: pod } = deployment.spec.template
  const [container] = pod.containers
  const traffic = find<{ type?: string; selector: Labels; ports: Port[] }>('Service')
  const admin = find<{ type?: string; selector: Labels; ports: Port[] }>(
    'Service',
    'unloop-gateway-admin',
  )
  const policy = find<{
    podSelector: { matchLabels: Labels }
    policyTypes: string[]
    ingress: { ports: { port: string }[]; from?: object[] }[]
  }>('NetworkPolicy').spec
  const budget = find<{ maxUnavailable: number; selector: { matchLabels: Labels } }>(
    'PodDisruptionBudget',
  ).spec
  const scaler = find<{
    scaleTargetRef: { apiVersion: string; kind: string; name: string }
    minReplicas: number
    maxReplicas: number
    metrics: { resource: { name: string } }[]
  }>('HorizontalPodAutoscaler').spec

  it('parses, and has each object once', () => {
    for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([])
    const names = objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toHaveLength(7)
  })

  it('has the text of gateway.yaml, and mounts it where the gateway reads it', () => {
    const map = objects.find(({ kind }) => kind === 'ConfigMap')
    expect(map).toMatchObject({ data: { 'gateway.yaml': text('gateway.yaml') } })
    const [volume] = pod.volumes
    const [mount] = container.volumeMounts
    expect(volume?.configMap.name).toBe(map?.metadata.name)
    expect(mount).toMatchObject({ name: volume?.name, readOnly: true })
    const given = optionsOf(container.args)
    expect(given['--config']).toBe(`${mount?.mountPath}/gateway.yaml`)
    expect(given['--host']).toBe('0.0.0.0')
  })

  it('selects the pods by labels that they carry', () => {
    const selectors = [
      deployment.spec.selector.matchLabels,
      traffic.spec.selector,
      admin.spec.selector,
      policy.podSelector.matchLabels,
      budget.selector.matchLabels,
      ...pod.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels),
    ]
    expect(selectors).toHaveLength(6)
    for (const selector of selectors) {
      expect(Object.keys(selector)).not.toEqual([])
      expect(metadata.labels).toMatchObject(selector)
    }
  })

  it('uses ports that the gateway has, the admin port only where it should', () => {
    const numbers = Object.fromEntries(container.ports.map((one) => [one.name, one.containerPort]))
    expect(numbers).toEqual({ http: config.listen.port, admin: config.admin.port })
    for (const { port, targetPort } of [...traffic.spec.ports, ...admin.spec.ports]) {
      expect(numbers[targetPort]).toBe(port)
    }
    expect(traffic.spec.ports.map((one) => one.targetPort)).toEqual(['http'])
    expect(admin.spec.ports.map((one) => one.targetPort)).toEqual(['admin'])
    expect(admin.spec.type).toBe('ClusterIP')
    expect(metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(config.admin.port),
      'prometheus.io/path': '/metrics',
    })
  })

  it('lets everybody reach the traffic port, and only named pods the admin port', () => {
    expect(policy.policyTypes).toEqual(['Ingress'])
    const rules = policy.ingress.map(({ ports, from }) => [ports.map((one) => one.port), from])
    expect(rules).toEqual([
      [['http'], undefined],
      [['admin'], expect.arrayContaining([expect.anything()])],
    ])
    const from = policy.ingress[1]?.from as { podSelector?: { matchLabels: Labels } }[]
    for (const peer of from) {
      expect(Object.values(peer.podSelector?.matchLabels ?? {})).not.toEqual([])
    }
  })

  it('asks the gateway about its health on the traffic port', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ])
  })

  it('refers to one secret and holds none', () => {
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret')
    const keys = container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    const [, created = ''] =
      /create secret generic (\S+) (?=\\)/.exec(text('kubernetes.yaml')) ?? []
    const literals = [...text('kubernetes.yaml').matchAll(/--from-literal=(\w+)=/g)]
    expect(keys).toEqual(literals.map(([, key]) => ({ name: created, key })))
    const used = [...container.args.join(' ').matchAll(/\$\((\w+)\)/g)].map(([, name]) => name)
    const names = container.env.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(used))
    for (const name of names) expect(used.includes(name) || isRead(name), name).toBe(true)
  })

  it('gives running answers the time to finish', () => {
    const [program, seconds = ''] = container.lifecycle.preStop.exec.command
    expect(program).toBe('sleep')
    expect(1000 * pod.terminationGracePeriodSeconds).toBeGreaterThan(
      toMs(seconds) + config.limits.drainMs,
    )
  })

  it('passes the restricted standard for pods', () => {
    const [user, group] = imageUser.split(':').map(Number)
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(container.image).toBe(`unloop-gateway:${version}`)
  })

  it('keeps two gateways or more, by the CPU that they ask for', () => {
    expect(deployment.spec.replicas).toBeUndefined()
    expect(scaler.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: deployment.kind,
      name: deployment.metadata.name,
    })
    expect(scaler.minReplicas).toBeGreaterThan(budget.maxUnavailable)
    expect(scaler.maxReplicas).toBeGreaterThan(scaler.minReplicas)
    for (const { resource } of scaler.metrics) {
      expect(container.resources.requests).toHaveProperty(resource.name)
    }
    const heap = heapOf(container.env.find(({ name }) => name === 'NODE_OPTIONS')?.value)
    expect(heap).toBeLessThanOrEqual(0.8 * toBytes(container.resources.limits.memory ?? ''))
  })
})

describe('unloop-gateway.service', () => {
  const settings = text('unloop-gateway.service')
    .split(/^\[/m)
    .slice(1)
    .flatMap((part) => {
      const [section = '', ...lines] = part.split('\n')
      return lines
        .filter((line) => line.trim() !== '' && !line.startsWith('#'))
        .map((line) => ({
          section: section.slice(0, -1),
          key: line.slice(0, line.indexOf('=')),
          value: line.slice(line.indexOf('=') + 1),
        }))
    })
  const valuesOf = (key: string) =>
    settings.filter((one) => one.key === key).map((one) => one.value)
  const settingOf = (key: string) => valuesOf(key).join(' ')

  it('has settings that systemd knows, in their sections', () => {
    expect(new Set(settings.map(({ section }) => section))).toEqual(new Set(Object.keys(KEYS)))
    for (const { section, key } of settings) {
      expect(KEYS[section]?.split(/\s+/), section).toContain(key)
    }
  })

  it('checks the configuration before it starts with it', () => {
    const [path, ...rest] = settingOf('ExecStartPre').split(' ').slice(3)
    expect(settingOf('ExecStartPre')).toMatch(/^unloop gateway check /)
    expect(rest).toEqual([])
    expect(settingOf('ExecStart')).toMatch(/^unloop gateway --/)
    expect(optionsOf(settingOf('ExecStart').split(' ').slice(2))).toEqual({ '--config': path })
    expect(text('unloop-gateway.service')).toContain(`# install -D -m 644 gateway.yaml ${path}\n`)
  })

  it('takes the token from a file, and sets only what somebody reads', () => {
    const file = settingOf('EnvironmentFile')
    const [, variable = '', written] =
      /echo "(\w+)=.*" > (\S+)/.exec(text('unloop-gateway.service')) ?? []
    expect(written).toBe(file)
    const names = valuesOf('Environment').map((one) => one.slice(0, one.indexOf('=')))
    for (const name of [variable, ...names]) expect(isRead(name), name).toBe(true)
    expect(names).not.toContain(variable)
  })

  it('gives running answers the time to finish', () => {
    expect(settingOf('KillSignal')).toBe('SIGTERM')
    expect(toMs(settingOf('TimeoutStopSec'))).toBeGreaterThan(config.limits.drainMs)
    expect(settingOf('Restart')).toBe('on-failure')
  })

  it('leaves memory beside the heap', () => {
    const heap = heapOf(valuesOf('Environment').join(' '))
    expect(heap).toBeLessThanOrEqual(0.8 * toBytes(settingOf('MemoryMax')))
  })

  it('is locked down, but lets Node compile', () => {
    for (const key of ['DynamicUser', 'NoNewPrivileges', 'PrivateTmp', 'ProtectHome']) {
      expect(settingOf(key), key).toBe('yes')
    }
    expect(settingOf('ProtectSystem')).toBe('strict')
    expect(settingOf('RestrictAddressFamilies').split(' ')).toEqual(
      expect.arrayContaining(['AF_INET', 'AF_INET6']),
    )
    expect(valuesOf('SystemCallFilter')[0]).toMatch(/^@system-service\b/)
    expect(valuesOf('MemoryDenyWriteExecute')).toEqual([])
  })
})

interface Alert {
  alert: string
  expr: string
  labels: Labels
  annotations: Labels
}

/** What prom-client keeps of a metric; `buckets` only of a histogram. */
interface Metric {
  name: string
  labelNames: string[]
  buckets?: number[]
}

describe('a gateway that is started as all of them start it', () => {
  const token = 'a token of this test'
  const file = join(emptyFolder(), 'gateway.yaml')
  const { host, stdout, signal } = createHost(
    ['gateway', '--host', '127.0.0.1', '--config', file],
    { env: { UNLOOP_GATEWAY_TOKEN: token } },
  )
  let ended: Promise<number>
  let urls: { url: string; page: string }
  beforeAll(async () => {
    // free ports; the rest is as it is
    writeFileSync(file, text('gateway.yaml').replace(/(?<=^ {2}port: )\d+/gm, '0'))
    ended = run(host)
    await vi.waitFor(() => expect(stdout()).toContain('\n'), { timeout: 60_000 })
    urls = JSON.parse(stdout().split('\n', 1)[0] ?? '')
  })
  afterAll(() => signal('SIGTERM'))

  const statusOf = async (base: string, path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(new URL(path, base), { headers })).status
  }

  it('answers the probes on the traffic port', async () => {
    for (const [, path = ''] of text('kubernetes.yaml').matchAll(/httpGet: \{ path: ([^,]+),/g)) {
      expect(await statusOf(urls.url, path), path).toBe(200)
    }
  })

  it('takes the ports of the file and the token of the environment', async () => {
    expect(new URL(urls.url).port).not.toBe(String(config.listen.port))
    expect(new URL(urls.page).port).not.toBe(new URL(urls.url).port)
    for (const path of ['/metrics', '/unloop/api/sessions']) {
      expect(await statusOf(urls.page, path), path).toBe(200)
      expect(await statusOf(urls.url, path), path).toBe(404)
    }
  })

  it('ends well on SIGTERM', async () => {
    signal('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('prometheus-alerts.yaml', () => {
  const { groups } = parse(text('prometheus-alerts.yaml')) as { groups: { rules: Alert[] }[] }
  const alerts = groups.flatMap((group) => group.rules)
  const { registry } = createMetrics({
    sessions: () => 0,
    openRequests: () => 0,
    heldBytes: () => 0,
    isStoreUp: () => true,
  })
  const metrics = new Map<string, Metric>()
  for (const metric of registry.getMetricsAsArray() as unknown as Metric[]) {
    const isHistogram = metric.buckets !== undefined
    const endings = isHistogram ? ['_bucket', '_sum', '_count'] : ['']
    for (const ending of endings) metrics.set(metric.name + ending, metric)
  }

  it('names each alert once, and says what it means', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^UnloopGateway[A-Z]/)
      expect(labels.severity).toMatch(/^(info|warning|critical)$/)
      expect(Object.keys(annotations)).toEqual(['summary', 'description'])
    }
  })

  it('asks for metrics and labels that the gateway has', () => {
    for (const { alert, expr } of alerts) {
      const names = metricsOf(expr)
      expect(names, alert).not.toEqual([])
      for (const name of names) expect([...metrics.keys()], alert).toContain(name)
      const labels = names.flatMap((name) => metrics.get(name)?.labelNames ?? [])
      const asked = [
        ...keptBy(expr),
        ...[...expr.matchAll(/(\w+)(?:!=|=~|!~|=)"/g)].map(([, l]) => l),
      ]
      for (const label of asked) expect([...labels, 'instance', 'le'], alert).toContain(label)
    }
  })

  it('writes only labels that the result still has', () => {
    for (const { alert, expr, annotations } of alerts) {
      const kept = /\b(sum|absent)\b/.test(expr) ? keptBy(expr) : ['instance']
      const words = Object.values(annotations).join()
      for (const [, label] of words.matchAll(/\$labels\.(\w+)/g)) {
        expect(kept, alert).toContain(label)
      }
    }
  })

  it('has a limit for latency that is a bound of the histogram: between two, a quantile is a guess', () => {
    const slow = alerts.find(({ alert }) => alert === 'UnloopGatewaySlow')?.expr ?? ''
    const [name = ''] = metricsOf(slow)
    expect(metrics.get(name)?.buckets).toContain(Number(/> ([\d.]+)$/.exec(slow)?.[1]))
  })
})

const keptBy = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

/** The metrics of an expression: what is neither a function, nor a label, nor a word of the language. */
const metricsOf = (expr: string): string[] =>
  expr
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring) \([^)]*\)/g, ' ')
    .match(/\b[a-z_]\w*\b(?!\s*\()/gi)
    ?.filter((word) => !/^(and|or|unless|by|bool|offset|sum|avg|min|max|count)$/.test(word)) ?? []

// of `systemd --dump-configuration-items`, version 252: all that a service of this kind may want
const KEYS: Record<string, string> = {
  Unit: `Description Documentation Requires Requisite Wants BindsTo Conflicts Before After OnFailure OnSuccess PartOf
    StartLimitIntervalSec StartLimitBurst StartLimitAction ConditionPathExists AssertPathExists`,
  Service: `Type ExitType ExecCondition ExecStartPre ExecStart ExecStartPost ExecReload ExecStop ExecStopPost RestartSec
    TimeoutSec TimeoutStartSec TimeoutStopSec TimeoutAbortSec RuntimeMaxSec WatchdogSec Restart SuccessExitStatus
    RestartPreventExitStatus RestartForceExitStatus RemainAfterExit NotifyAccess OOMPolicy User Group DynamicUser
    SupplementaryGroups WorkingDirectory RootDirectory Environment EnvironmentFile PassEnvironment UnsetEnvironment
    LoadCredential SetCredential StandardInput StandardOutput StandardError SyslogIdentifier Nice OOMScoreAdjust UMask
    LimitNOFILE LimitNPROC LimitCORE LimitMEMLOCK CPUQuota CPUWeight MemoryHigh MemoryMax MemorySwapMax TasksMax
    IPAddressAllow IPAddressDeny KillMode KillSignal FinalKillSignal SendSIGKILL SendSIGHUP NoNewPrivileges
    CapabilityBoundingSet AmbientCapabilities SecureBits ProtectSystem ProtectHome ReadWritePaths ReadOnlyPaths
    InaccessiblePaths ExecPaths NoExecPaths TemporaryFileSystem PrivateTmp PrivateDevices PrivateNetwork PrivateUsers
    PrivateIPC PrivateMounts ProtectProc ProcSubset ProtectClock ProtectHostname ProtectKernelLogs
    ProtectKernelModules ProtectKernelTunables ProtectControlGroups LockPersonality MemoryDenyWriteExecute
    RestrictNamespaces RestrictRealtime RestrictSUIDSGID RestrictAddressFamilies RestrictFileSystems RemoveIPC
    SystemCallArchitectures SystemCallFilter SystemCallErrorNumber SystemCallLog RuntimeDirectory StateDirectory
    CacheDirectory LogsDirectory ConfigurationDirectory`,
  Install: 'Alias WantedBy RequiredBy Also DefaultInstance',
}
