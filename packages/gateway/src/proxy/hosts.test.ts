import { expect, it } from 'vitest'
import { createHostCheck } from './hosts.js'

const refused = (listenHost: string, hosts: string[], host?: string) =>
  createHostCheck(listenHost, hosts)(host === undefined ? {} : { host }) !== undefined

it.each([
  'localhost',
  'localhost:8787',
  'LOCALHOST:1',
  '127.0.0.1',
  '127.0.0.1:8787',
  '127.1.2.3:80',
  '[::1]',
  '[::1]:8787',
  'unloop.localhost:8787',
  undefined,
])('on loopback, %s is this machine', (host) => {
  for (const listenHost of ['127.0.0.1', 'localhost', '::1'])
    expect(refused(listenHost, [], host)).toBe(false)
})

it.each([
  'evil.example',
  'evil.example:8787',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil-localhost',
  '192.168.0.7',
  '[::2]',
  '',
  'a@localhost',
])('on loopback, %j is foreign', (host) => {
  expect(refused('127.0.0.1', [], host)).toBe(true)
  expect(refused('0.0.0.0', [], host)).toBe(false)
})

it('names that were given count, with *, and on other addresses no others do', () => {
  for (const listenHost of ['127.0.0.1', '0.0.0.0']) {
    const hosts = ['gateway.example', '*.Mesh.example']
    for (const host of ['gateway.example', 'Gateway.Example:443', 'a.mesh.example', '127.0.0.1:1'])
      expect(refused(listenHost, hosts, host)).toBe(false)
    for (const host of ['example', 'gateway.example.org', 'mesh.example'])
      expect(refused(listenHost, hosts, host)).toBe(true)
  }
  expect(refused('127.0.0.1', ['*'], 'any.example')).toBe(false)
})

it('says what to do', () => {
  expect(createHostCheck('127.0.0.1')({ host: 'evil.example' })).toBe(
    "'evil.example' is not a name of this gateway: the gateway listens on loopback, and answers to others only if listen.hosts has them",
  )
})
