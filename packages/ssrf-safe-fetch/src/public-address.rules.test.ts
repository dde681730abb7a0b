import { describe, expect, it } from 'vitest'
import { isGlobalUnicast, mayConnectTo } from './public-address.rules.ts'

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '193.99.144.80',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:4700::5efe:808:808',
]

const NOT_PUBLIC: [address: string, why: string][] = [
  ['0.0.0.0', 'this host'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local, metadata of clouds'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relays'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:7f00:1', 'mapped loopback in hexadecimal'],
  ['::ffff:169.254.169.254', 'mapped link-local'],
  ['::ffff:0:127.0.0.1', 'translated (RFC 2765)'],
  ['64:ff9b::127.0.0.1', 'NAT64 of loopback'],
  ['64:ff9b::a00:1', 'NAT64 of private'],
  ['64:ff9b:1::8.8.8.8', 'local NAT64'],
  ['64:ff9b:1:7f00:0:100::', 'local NAT64'],
  ['100::1', 'discarded'],
  ['2001::1', 'Teredo'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo of loopback'],
  ['2001:2::1', 'benchmarks'],
  ['2001:10::1', 'ORCHID'],
  ['2001:1ff::1', 'protocol assignments'],
  ['2001:1ff:ffff:ffff::1', 'protocol assignments, the last'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2002:808:808::1', '6to4'],
  ['3fff::1', 'documentation'],
  ['3fff:fff:ffff::1', 'documentation, the last'],
  ['4000::1', 'not assigned'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['2606:4700::1%eth0', 'with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['2606:4700::5efe:7f00:1', 'ISATAP of loopback'],
  ['2606:4700::200:5efe:a00:1', 'ISATAP of private'],
  ['localhost', 'a name'],
  ['', 'nothing'],
]

describe('isGlobalUnicast', () => {
  it.each(PUBLIC)('%s is public', (address) => expect(isGlobalUnicast(address)).toBe(true))
  it.each(NOT_PUBLIC)('%s is not: %s', (address) => expect(isGlobalUnicast(address)).toBe(false))
})

describe('mayConnectTo', () => {
  it('takes the ports of the web unless others are configured', () => {
    const answers = [80, 443, 25, 8080].map((port) => mayConnectTo()({ address: '8.8.8.8', port }))
    expect(answers).toEqual([true, true, false, false])
    expect(mayConnectTo({ ports: [8080] })({ address: '8.8.8.8', port: 8080 })).toBe(true)
    expect(mayConnectTo({ ports: [8080] })({ address: '10.0.0.1', port: 8080 })).toBe(false)
  })
})
