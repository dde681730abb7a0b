import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lookUpMail, type MailResolver } from './reachable-email.ts'

const fault = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
const nothing = () => fault('ENODATA')
const dns = (answers: { mx?: string[]; a?: string[]; aaaa?: string[]; all?: () => Promise<never> }) =>
  ({
    resolveMx: answers.all ?? (async () => answers.mx?.map((exchange) => ({ exchange, priority: 1 })) ?? nothing()),
    resolve4: answers.all ?? (async () => answers.a ?? nothing()),
    resolve6: answers.all ?? (async () => answers.aaaa ?? nothing()),
  }) as unknown as MailResolver

it.each([
  ['a mail server', { mx: ['mx.example'] }, true],
  ['only an IPv4 address', { a: ['192.0.2.1'] }, true],
  ['only an IPv6 address', { aaaa: ['2001:db8::1'] }, true],
  ['no record', {}, false],
  ['a record that says it takes no mail', { mx: [''], a: ['192.0.2.1'] }, false],
  ['a name that does not exist', { all: () => fault('ENOTFOUND') }, false],
  ['a DNS that does not answer', { all: () => fault('ETIMEOUT') }, true],
])('a domain with %s: %#', async (_what, answers, expected) => {
  expect(await lookUpMail(dns(answers), 'example.com')).toMatchObject({ isReachable: expected })
})

it('names the servers that take the mail of a domain', async () => {
  expect((await lookUpMail(dns({ mx: ['mx1.example.', 'mx2.example'] }), 'example.com')).servers).toEqual(['mx1.example', 'mx2.example'])
  expect((await lookUpMail(dns({ a: ['192.0.2.1'] }), 'example.com')).servers).toEqual([])
})

it('whatever the DNS answers, an address is judged', async () => {
  const name = fc.oneof(fc.constantFrom('', '.', '..', 'mx.example.', '\0', 'x'.repeat(300)), fc.string({ maxLength: 20 }))
  const answer = fc.oneof(
    fc.array(name, { maxLength: 4 }).map((names) => async () => names),
    fc.constantFrom('ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT', '').map((code) => () => Promise.reject(Object.assign(new Error('no'), { code }))),
  )
  await fc.assert(
    fc.asyncProperty(answer, answer, answer, async (mx, a, aaaa) => {
      const resolver = { resolveMx: async () => (await mx()).map((exchange) => ({ exchange, priority: 1 })), resolve4: a, resolve6: aaaa }
      const { isReachable, servers } = await lookUpMail(resolver as never, 'example.com')
      expect([typeof isReachable, servers.every((server) => server !== '')]).toEqual(['boolean', true])
    }),
    { seed: 20_260_505, numRuns: 1000 },
  )
})
