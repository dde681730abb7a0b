import { readFileSync } from 'node:fs'
import { makeAuthority, startKafka, type TestAuthority, whyNoCertificates, whyNoKafka } from '@rookery/test-stores'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Message } from '../src/index.ts'
import { type KafkaOptions, kafkaBus } from '../src/kafka/bus.ts'
import { openKafka } from '../src/kafka/client.ts'

// Starts and restarts real processes.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const PASSWORD = 'only-the-birds-know'
const lacking = (await whyNoKafka()) ?? whyNoCertificates()

describe.skipIf(lacking)(lacking ?? 'brokers that let in over TLS, by password or by certificate', () => {
  let ours: TestAuthority
  let theirs: TestAuthority
  let kafka: Awaited<ReturnType<typeof startKafka>>
  beforeAll(async () => {
    ours = makeAuthority('birds')
    theirs = makeAuthority('crows')
    kafka = await startKafka({ guarded: { authority: ours, username: 'rookery', password: PASSWORD } })
  }, 240_000)
  afterAll(async () => {
    await kafka.stop()
    ours.remove()
    theirs.remove()
  })

  const shown = (authority: TestAuthority) => {
    const { certificate, key } = authority.issue('rookery')
    return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
  }
  const by = (mechanism: 'scram-sha-512' | 'scram-sha-256' | 'plain', password = PASSWORD) => ({
    sasl: { mechanism, username: 'rookery', password },
  })
  type Way = Pick<KafkaOptions, 'tls' | 'sasl'>
  let topics = 0

  /** Publishes and receives a message, or returns the reported errors. */
  const outcome = async (address: string, way: Way) => {
    const reported: string[] = []
    const onError = (error: unknown) => reported.push(String((error as Error).stack))
    const bus = kafkaBus({ brokers: [address], clientId: 'guarded', partitions: 1, onError, ...way })
    const heard: string[] = []
    try {
      const topic = `guarded-${topics++}`
      const handle = async (messages: readonly { envelope: Uint8Array }[]) => {
        for (const { envelope } of messages) heard.push(Buffer.from(envelope).toString())
      }
      void bus.subscribe(topic, [{ topic, consumer: topic, handle }])
      await bus.publish(topic, [{ key: 'ann', envelope: Buffer.from('hello') }])
      await expect.poll(() => [heard, bus.fault()], { interval: 20 }).toEqual([['hello'], undefined])
      return 'heard'
    } catch (error) {
      await expect.poll(() => bus.fault()).not.toMatch('not answered yet')
      const all = [(error as Error).message, bus.fault(), ...reported].join('\n')
      expect(all).not.toMatch(/only-the-birds-know|wrong-guess/)
      return bus.fault()
    } finally {
      await bus.close()
    }
  }

  test.each([['scram-sha-512'], ['scram-sha-256'], ['plain']] as const)(
    'let in who knows the password: %s',
    { timeout: 60_000 },
    async (mechanism) => {
      expect(await outcome(kafka.byPassword, { tls: { ca: ours.pem }, ...by(mechanism) })).toBe('heard')
    },
  )

  describe('with lists of who may do what', () => {
    const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs
    const operations = (...names: (keyof typeof AclOperationTypes)[]) => names.map((name) => AclOperationTypes[name])
    /** An ACL: allows one user some operations on resources with a prefix, and other users none. */
    const allow = async (user: string, type: keyof typeof AclResourceTypes, resourceName: string, allowed: readonly number[]) => {
      const { kafka: opened, close } = openKafka({ brokers: [kafka.address], clientId: 'operator' }, 'aWhile')
      const admin = opened.admin()
      await admin.connect()
      const resource = { resourceType: AclResourceTypes[type], resourceName }
      const pattern = type === 'CLUSTER' ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED
      const who = { principal: `User:${user}`, host: '*', permissionType: AclPermissionTypes.ALLOW }
      await admin.createAcls({ acl: allowed.map((operation) => ({ ...who, ...resource, resourcePatternType: pattern, operation })) })
      await admin.disconnect()
      close('done')
    }
    const open = (reported: string[]) =>
      kafkaBus({
        brokers: [kafka.byPassword],
        clientId: 'guarded',
        partitions: 1,
        tls: { ca: ours.pem },
        ...by('scram-sha-512'),
        onError: (error) => reported.push((error as Error).message),
      })
    const hears = async (topic: string, group: string, consumer: string) => {
      const [heard, reported]: [string[], string[]] = [[], []]
      const bus = open(reported)
      const handle = async (messages: readonly Message[]) => {
        for (const { envelope } of messages) heard.push(Buffer.from(envelope).toString())
      }
      void bus.subscribe(group, [{ topic, consumer, handle }])
      await bus.publish(topic, [{ key: 'ann', envelope: Buffer.from('hello') }])
      await expect.poll(() => [heard, reported]).toEqual([['hello'], []])
      await expect.poll(() => bus.lags()).toEqual([{ group, lag: 0 }])
      await bus.close()
    }

    test('need let it do no more than read and write its topics, create them, and read its groups', async () => {
      await allow('rookery', 'TOPIC', 'birds.v1', operations('CREATE', 'READ', 'WRITE'))
      await allow('rookery', 'GROUP', 'birds-', operations('READ'))
      await allow('crow', 'CLUSTER', 'kafka-cluster', operations('ALL'))
      await hears('birds.v1', 'birds-background', 'birds.song')
    })

    test('may keep it from the groups that its consumers were before', async () => {
      await allow('rookery', 'TOPIC', 'nests.v1', operations('CREATE', 'READ', 'WRITE'))
      await allow('crow', 'GROUP', 'nests.', operations('ALL'))
      await hears('nests.v1', 'nests-background', 'nests.eggs')
    })
  })

  test('let in who has a certificate', { timeout: 60_000 }, async () => {
    expect(await outcome(kafka.byCertificate, { tls: { ca: ours.pem, ...shown(ours) } })).toBe('heard')
  })

  test.each<[string, () => [string, Way], RegExp]>([
    ['a wrong password', () => [kafka.byPassword, { tls: { ca: ours.pem }, ...by('scram-sha-512', 'wrong-guess') }], /invalid credentials/],
    [
      'a wrong plain password',
      () => [kafka.byPassword, { tls: { ca: ours.pem }, ...by('plain', 'wrong-guess') }],
      /Invalid username or password/,
    ],
    [
      'no one’s certificate',
      () => [kafka.byCertificate, { tls: { ca: ours.pem } }],
      /certificate.required|bad certificate|closed|hang up/i,
    ],
    ['another authority’s certificate', () => [kafka.byCertificate, { tls: { ca: ours.pem, ...shown(theirs) } }], /certificate|closed/i],
    [
      'brokers of another authority',
      () => [kafka.byPassword, { tls: { ca: theirs.pem }, ...by('plain') }],
      /self.signed|unable to (get|verify)/,
    ],
    [
      'brokers of none of the usual authorities',
      () => [kafka.byPassword, { tls: {}, ...by('plain') }],
      /self.signed|unable to (get|verify)/,
    ],
  ])('refuse, or are refused, for %s, and it is said without the secret', { timeout: 60_000 }, async (_, given, why) => {
    const fault = await outcome(...given())
    expect(fault).toMatch(/^the brokers do not answer: /)
    expect(fault).toMatch(why)
  })
})
