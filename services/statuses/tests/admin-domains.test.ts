import { createHash } from 'node:crypto'
import { type Answer, type Person, World } from '@rookery/test-world'
import { following, stranger } from '@rookery/test-world/elsewhere'
import { query } from '@rookery/test-world/queries'
import { faultsIn, flag, id, matching, moment, nullable, object, oneOf, text } from '@rookery/test-world/shape'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

// Which domains are limited here, and which are allowed (spec, Admin: domain blocks and allows; beyond-the-spec 1.15, 2.6).

const BLOCKS = '/api/v1/admin/domain_blocks'
const ALLOWS = '/api/v1/admin/domain_allows'

let world: World
let staff: Person
beforeAll(async () => {
  world = await World.open()
  staff = await world.owner('staff')
})
afterAll(() => world.close())
beforeEach(() => query(world, 'truncate federation.domain_block, federation.domain_allow'))

const gist = ({ status, body }: Answer) => [status, body]
const fault = ({ status, body }: Answer) => [status, body.error]
const blocks = async (settings: object): Promise<Json> => {
  const { status, body } = await staff.post(BLOCKS, settings)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const domainsOf = ({ body }: Answer) => body.map(({ domain }: Json) => domain)

const adminDomainBlock = object({
  id,
  domain: text,
  digest: matching('a digest', /^[0-9a-f]{64}$/),
  created_at: moment,
  severity: oneOf('silence', 'suspend', 'noop'),
  reject_media: flag,
  reject_reports: flag,
  private_comment: nullable(text),
  public_comment: nullable(text),
  obfuscate: flag,
})

describe('a domain block', () => {
  test('silences a domain and says nothing where nothing else is asked for', async () => {
    const block = await blocks({ domain: 'Elsewhere.EXAMPLE' })
    expect(faultsIn(block, adminDomainBlock)).toEqual([])
    expect(block).toMatchObject({
      domain: 'elsewhere.example',
      digest: createHash('sha256').update('elsewhere.example').digest('hex'),
      severity: 'silence',
      reject_media: false,
      reject_reports: false,
      private_comment: null,
      public_comment: null,
      obfuscate: false,
    })
    expect(gist(await staff.get(`${BLOCKS}/${block.id}`))).toEqual([200, block])
  })

  test('keeps all that is asked for, from a form as from JSON', async () => {
    const settings = { reject_media: 'true', reject_reports: '1', private_comment: 'spam', public_comment: 'Spam.', obfuscate: 'true' }
    const form = new URLSearchParams({ domain: 'münchen.example', severity: 'suspend', ...settings })
    const { body } = await staff.asks('POST', BLOCKS, { body: form })
    expect(body).toMatchObject({
      domain: 'xn--mnchen-3ya.example',
      severity: 'suspend',
      reject_media: true,
      reject_reports: true,
      private_comment: 'spam',
      public_comment: 'Spam.',
      obfuscate: true,
    })
  })

  test.each([
    [{}, "Domain can't be blank"],
    [{ domain: ' ' }, "Domain can't be blank"],
    [{ domain: 'https://elsewhere.example' }, 'Domain is not a valid domain name'],
    [{ domain: '192.0.2.1' }, 'Domain is not a valid domain name'],
    [{ domain: 'elsewhere.example', severity: 'tea' }, 'Severity is not included in the list'],
    [{ domain: 'elsewhere.example', severity: 'constructor' }, 'Severity is not included in the list'],
  ])('is refused for %j', async (settings, said) => {
    expect(fault(await staff.post(BLOCKS, settings))).toEqual([422, `Validation failed: ${said}`])
    expect(domainsOf(await staff.get(BLOCKS))).toEqual([])
  })

  test.each([
    ['the same', { severity: 'silence' }, 'elsewhere.example', { severity: 'silence' }],
    ['the same, stricter', { severity: 'silence' }, 'elsewhere.example', { severity: 'suspend' }],
    ['a milder one of a subdomain', { severity: 'suspend' }, 'sub.elsewhere.example', { severity: 'silence' }],
    ['one as strict of a subdomain that lets media in', { severity: 'silence', reject_media: true }, 'a.b.elsewhere.example', {}],
  ])('is in the way of another: %s', async (_case, first, domain, second) => {
    const existing = await blocks({ domain: 'elsewhere.example', ...first })
    expect(gist(await staff.post(BLOCKS, { domain, ...second }))).toEqual([
      422,
      { error: 'You have already imposed stricter limits on elsewhere.example.', existing_domain_block: existing },
    ])
  })

  test.each([
    ['a stricter one of a subdomain', 'sub.elsewhere.example', { severity: 'suspend' }],
    ['one of a subdomain that forbids more', 'sub.elsewhere.example', { severity: 'silence', reject_media: true }],
    ['one of another domain with the same end', 'notelsewhere.example', { severity: 'silence' }],
    ['one of the domain above', 'example', { severity: 'silence' }],
  ])('is not in the way of %s', async (_case, domain, settings) => {
    await blocks({ domain: 'elsewhere.example', severity: 'silence' })
    const wanted = domain === 'example' ? { domain: 'co.example', ...settings } : { domain, ...settings }
    expect(await blocks(wanted)).toMatchObject(wanted)
  })

  test('is made once by twenty who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => staff.post(BLOCKS, { domain: 'elsewhere.example' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])
  })

  test('is changed in what is said only', async () => {
    const block = await blocks({ domain: 'elsewhere.example', severity: 'suspend', private_comment: 'spam', obfuscate: true })
    const changed = await staff.asks('PUT', `${BLOCKS}/${block.id}`, {
      body: { severity: 'noop', reject_reports: true, domain: 'other.example' },
    })
    expect(gist(changed)).toEqual([200, { ...block, severity: 'noop', reject_reports: true }])
    expect((await staff.asks('PUT', `${BLOCKS}/${block.id}`, { body: { private_comment: '' } })).body).toMatchObject({
      private_comment: null,
    })
    expect((await staff.asks('PUT', `${BLOCKS}/${block.id}`, { body: {} })).status).toBe(200)
  })

  test('is not changed to a severity that there is not: 500, as the contract has it', async () => {
    const block = await blocks({ domain: 'elsewhere.example' })
    expect(fault(await staff.asks('PUT', `${BLOCKS}/${block.id}`, { body: { severity: 'tea' } }))).toEqual([
      500,
      "'tea' is not a valid severity",
    ])
    expect(gist(await staff.get(`${BLOCKS}/${block.id}`))).toEqual([200, block])
  })

  test('ends when it is deleted, once', async () => {
    const block = await blocks({ domain: 'elsewhere.example' })
    expect(gist(await staff.asks('DELETE', `${BLOCKS}/${block.id}`))).toEqual([200, {}])
    expect(fault(await staff.asks('DELETE', `${BLOCKS}/${block.id}`))).toEqual([404, 'Record not found'])
    expect(fault(await staff.get(`${BLOCKS}/${block.id}`))).toEqual([404, 'Record not found'])
  })

  test('is on pages, the latest first, with links in both directions', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await blocks({ domain: `${name}.example` })
    const first = await staff.get(`${BLOCKS}?limit=2`)
    expect(domainsOf(first)).toEqual(['e.example', 'd.example'])
    const next = /<[^>]*(\/api[^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await staff.get(next)
    expect(domainsOf(second)).toEqual(['c.example', 'b.example'])
    const newer = /<[^>]*(\/api[^>]+)>; rel="prev"/.exec(second.headers.get('link') ?? '')?.[1] ?? ''
    expect(domainsOf(await staff.get(newer))).toEqual(['e.example', 'd.example'])
  })

  test('is told to the public without what staff wrote for themselves', async () => {
    await blocks({ domain: 'hidden.example', severity: 'suspend', obfuscate: true, public_comment: 'Spam.', private_comment: 'secret' })
    await blocks({ domain: 'noted.example', severity: 'noop' })
    const { body, text: said } = await world.get('/api/v1/instance/domain_blocks')
    const digest = createHash('sha256').update('hidden.example').digest('hex')
    expect(body).toEqual([{ domain: expect.stringContaining('*'), digest, severity: 'suspend', comment: 'Spam.' }])
    expect(said).not.toMatch(/secret|hidden\.example|noted/)
  })
})

describe('an allowed domain', () => {
  test('is there once, also when it is allowed again', async () => {
    const { status, body: allow } = await staff.post(ALLOWS, { domain: 'Elsewhere.example' })
    expect(status).toBe(200)
    expect(faultsIn(allow, object({ id, domain: oneOf('elsewhere.example'), created_at: moment }))).toEqual([])
    world.clock.advance(1000)
    expect(gist(await staff.post(ALLOWS, { domain: 'elsewhere.example' }))).toEqual([200, allow])
    expect(gist(await staff.get(`${ALLOWS}/${allow.id}`))).toEqual([200, allow])
    expect(gist(await staff.get(ALLOWS))).toEqual([200, [allow]])
  })

  test.each([
    [{}, "Domain can't be blank"],
    [{ domain: 'tea' }, 'Domain is not a valid domain name'],
  ])('is refused for %j', async (body, said) => expect(fault(await staff.post(ALLOWS, body))).toEqual([422, `Validation failed: ${said}`]))

  test('answers with itself when it is removed, once', async () => {
    const { body: allow } = await staff.post(ALLOWS, { domain: 'elsewhere.example' })
    expect(gist(await staff.asks('DELETE', `${ALLOWS}/${allow.id}`))).toEqual([200, allow])
    expect(fault(await staff.asks('DELETE', `${ALLOWS}/${allow.id}`))).toEqual([404, 'Record not found'])
    expect(fault(await staff.get(`${ALLOWS}/${allow.id}`))).toEqual([404, 'Record not found'])
  })
})

describe('people of a blocked domain', () => {
  test('are limited as it says, those of subdomains too, until the block changes or ends', async () => {
    const ann = await stranger(world, 'ann', 'sub.limited.example')
    const columns = 'suspended_by_domain as suspended, silenced_by_domain as silenced'
    const limits = async () => {
      // What federation has done makes work for statuses.
      for (let round = 0; round < 2; round++) await world.rookery.runJobs()
      await world.idle()
      return (await query(world, `select ${columns} from statuses.account where id = ${ann.id}`))[0]
    }
    const { id: blockId } = await blocks({ domain: 'limited.example', severity: 'suspend' })
    expect(await limits()).toEqual({ suspended: true, silenced: false })
    await staff.asks('PUT', `${BLOCKS}/${blockId}`, { body: { severity: 'silence' } })
    expect(await limits()).toEqual({ suspended: false, silenced: true })
    await staff.asks('DELETE', `${BLOCKS}/${blockId}`)
    expect(await limits()).toEqual({ suspended: false, silenced: false })
  })

  /** What federation has done makes work for statuses. */
  const worked = () => world.advance(0)
  const ends = async ({ id: blockId }: Json) => {
    await staff.asks('DELETE', `${BLOCKS}/${blockId}`)
    await worked()
  }
  const stands = async (settings: object) => {
    const block = await blocks(settings)
    await worked()
    return block
  }
  const limitsOf = async ({ id: accountId }: { id: string }) => {
    const { limited = false, suspended = false } = (await world.get(`/api/v1/accounts/${accountId}`)).body
    return { limited, suspended }
  }
  const FREE = { limited: false, suspended: false }

  test('are not limited by the block of a domain above where their own limits nothing', async () => {
    const bea = await stranger(world, 'bea', 'kind.rude.example')
    const own = await stands({ domain: 'kind.rude.example', severity: 'noop' })
    await stands({ domain: 'rude.example', severity: 'silence' })
    expect(await limitsOf(bea)).toEqual(FREE)
    await ends(own)
    expect(await limitsOf(bea)).toEqual({ ...FREE, limited: true })
  })

  test('are free once the last block that covers them ends, after others ended', async () => {
    const cleo = await stranger(world, 'cleo', 'a.b.loud.example')
    const above = await stands({ domain: 'loud.example', severity: 'silence' })
    const own = await stands({ domain: 'b.loud.example', severity: 'suspend' })
    expect(await limitsOf(cleo)).toEqual({ ...FREE, suspended: true })
    await ends(own)
    expect(await limitsOf(cleo)).toEqual({ ...FREE, limited: true })
    await ends(above)
    expect(await limitsOf(cleo)).toEqual(FREE)
    expect(await limitsOf(await stranger(world, 'dora', 'b.loud.example'))).toEqual(FREE)
    expect(await query(world, "select from media.remote_domain where domain like '%loud.example'")).toEqual([])
  })

  test('lose their follows when the block that spared them ends, and only then are people notified', async () => {
    const tom = await world.person('tom')
    const [eve, flo] = [await stranger(world, 'eve', 'spared.harsh.example'), await stranger(world, 'flo', 'harsh.example')]
    for (const followed of [eve, flo]) await following(world, tom, followed)
    const own = await stands({ domain: 'spared.harsh.example', severity: 'silence' })
    const losses = async () =>
      (await tom.notifications('?types[]=severed_relationships')).map(({ event }) => [event.target_name, event.following_count])
    await stands({ domain: 'harsh.example', severity: 'suspend' })
    expect(await losses()).toEqual([['harsh.example', 1]])
    await ends(own)
    expect(await limitsOf(eve)).toEqual({ ...FREE, suspended: true })
    expect(await losses()).toEqual([
      ['spared.harsh.example', 1],
      ['harsh.example', 1],
    ])
  })
})
