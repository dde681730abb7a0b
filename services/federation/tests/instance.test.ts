import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './harness.ts'

const opened: Harness[] = []
const open = async (environment: Record<string, string> = {}) => {
  const harness = await openHarness(environment)
  opened.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of opened.splice(0)) await harness.close()
})

const SETTINGS = {
  INSTANCE_TITLE: 'The Rookery',
  INSTANCE_DESCRIPTION: 'A tree full of talk',
  INSTANCE_EXTENDED_DESCRIPTION: 'Be <kind>.\nAlways.\n\n\nTea & cake at "four".',
  INSTANCE_CONTACT_EMAIL: 'mara@rookery.example',
  INSTANCE_CONTACT_ACCOUNT: '@mara',
  INSTANCE_LANGUAGES: 'en, de',
  INSTANCE_RULES: 'Be kind\n\n  No selling \n',
}

describe('the instance', () => {
  it('says what the settings say, with the counts of statuses', async () => {
    const harness = await open(SETTINGS)
    expect(await harness.read()).toEqual({
      title: 'The Rookery',
      shortDescription: 'A tree full of talk',
      description: 'A tree full of talk',
      contactEmail: 'mara@rookery.example',
      contactAccount: expect.objectContaining({ id: '7', version: 1 }),
      languages: ['en', 'de'],
      people: 3,
      statuses: 20,
      peers: 0,
      activeMonth: 2,
      activeHalfYear: 3,
      rules: [
        { id: '1', text: 'Be kind', hint: '' },
        { id: '2', text: 'No selling', hint: '' },
      ],
      color: '#3a4fc4',
      pictures: [],
      hasTerms: false,
    })
  })

  it('has a name and a language without any settings, and asks for no contact', async () => {
    const harness = await open()
    expect(await harness.read()).toMatchObject({
      title: 'Rookery',
      description: '',
      languages: ['en'],
      contactAccount: undefined,
      rules: [],
    })
    expect(harness.statuses.calls).toEqual(['readFigures'])
  })

  it('says what is stored rather than what the settings say', async () => {
    const harness = await open(SETTINGS)
    await harness.db
      .insertInto('instanceText')
      .values([
        { name: 'title', value: 'Another' },
        { name: 'description', value: 'Longer' },
        { name: 'contact_account', value: 'nobody' },
      ])
      .execute()
    await harness.db
      .insertInto('rule')
      .values([
        { text: 'Second', hint: 'really', priority: 2 },
        { text: 'First', priority: 1 },
      ])
      .execute()
    await harness.db
      .insertInto('peer')
      .values([{ domain: 'b.example' }, { domain: 'a.example' }])
      .execute()
    const card = await harness.read()
    expect(card).toMatchObject({ title: 'Another', shortDescription: 'A tree full of talk', description: 'Longer', peers: 2 })
    expect(card.contactAccount).toBeUndefined()
    expect(card.rules).toEqual([
      { id: '2', text: 'First', hint: '' },
      { id: '1', text: 'Second', hint: 'really' },
    ])
    expect(await harness.rules()).toEqual(card.rules)
  })

  it('asks statuses once a minute, however many ask', async () => {
    const harness = await open(SETTINGS)
    await Promise.all(Array.from({ length: 20 }, () => harness.read()))
    expect(harness.statuses.calls.sort()).toEqual(['lookup', 'readFigures'])
    harness.statuses.people = 4
    harness.clock.time += 59_999
    expect((await harness.read()).people).toBe(3)
    harness.clock.time += 1
    expect((await harness.read()).people).toBe(4)
  })

  it('costs one statement, while counts, peers and contact are known', async () => {
    const harness = await open()
    await harness.read()
    harness.statements.length = 0
    await harness.read()
    expect(harness.statements).toHaveLength(1)
  })

  it('shows the last counts while statuses is away', async () => {
    const harness = await open(SETTINGS)
    await harness.read()
    harness.statuses.isAway = true
    harness.clock.time += 60_000
    expect(await harness.read()).toMatchObject({ people: 3, contactAccount: { id: '7' } })
  })

  it('is unavailable while statuses was never there, and comes back with it', async () => {
    const harness = await open(SETTINGS)
    harness.statuses.isAway = true
    await expect(harness.read()).rejects.toMatchObject({ kind: 'unavailable' })
    harness.statuses.isAway = false
    expect((await harness.read()).people).toBe(3)
  })
})

describe('the extended description', () => {
  it('is HTML of its Markdown', async () => {
    const harness = await open(SETTINGS)
    expect((await harness.extendedDescription()).content).toBe('<p>Be &lt;kind&gt;.<br />\nAlways.</p>\n<p>Tea &amp; cake at "four".</p>')
  })

  it('of the settings keeps the date it was first read with these words, regardless of what starts later', async () => {
    const harness = await open(SETTINGS)
    const firstRead = harness.clock.time
    expect((await harness.extendedDescription()).updatedAtMilliseconds).toBe(firstRead)
    harness.clock.time += 3_600_000
    harness.restart(SETTINGS)
    expect((await harness.extendedDescription()).updatedAtMilliseconds).toBe(firstRead)
    harness.restart({ ...SETTINGS, INSTANCE_EXTENDED_DESCRIPTION: 'Be kinder.' })
    expect(await harness.extendedDescription()).toEqual({ updatedAtMilliseconds: firstRead + 3_600_000, content: '<p>Be kinder.</p>' })
  })

  it('has no date when none is set', async () => {
    const harness = await open()
    expect(await harness.extendedDescription()).toEqual({ updatedAtMilliseconds: undefined, content: '' })
  })

  it('is as old as what is stored', async () => {
    const harness = await open(SETTINGS)
    const updatedAt = new Date('2025-12-24T18:00:00Z')
    await harness.db.insertInto('instanceText').values({ name: 'extended_description', value: 'Welcome', updatedAt }).execute()
    expect(await harness.extendedDescription()).toEqual({ updatedAtMilliseconds: updatedAt.getTime(), content: '<p>Welcome</p>' })
  })
})

describe('other servers', () => {
  it('are listed by name', async () => {
    const harness = await open()
    expect(await harness.peers()).toEqual([])
    await harness.db
      .insertInto('peer')
      .values([{ domain: 'b.example' }, { domain: 'a.example' }])
      .execute()
    expect(await harness.peers()).toEqual(['a.example', 'b.example'])
  })

  it('more than a thousand are read once a minute, for lists and searches', async () => {
    const harness = await open()
    const domains = Array.from({ length: 1200 }, (_, index) => ({ domain: `tea${index + 1}.example` }))
    await harness.db.insertInto('peer').values(domains).execute()
    expect(await harness.peers()).toHaveLength(1200)
    await harness.db
      .insertInto('peer')
      .values([{ domain: 'tea.example' }, { domain: 'sub.tea.example' }])
      .execute()
    expect(await harness.searchPeers('tea.')).toEqual([])
    harness.clock.time += 60_000
    await harness.peers()
    await expect.poll(() => harness.searchPeers('tea.')).toEqual(['sub.tea.example', 'tea.example'])
    expect(await harness.searchPeers('tea1', 3)).toEqual(['tea1.example', 'tea10.example', 'tea100.example'])
  })

  it('are shown as blocked where people notice, hidden where that is asked for', async () => {
    const harness = await open()
    await harness.db
      .insertInto('domainBlock')
      .values([
        { domain: 'rude.example', severity: 'suspend', publicComment: 'Rude', privateComment: 'Secret' },
        { domain: 'quiet.example', severity: 'silence', obfuscate: true },
        { domain: 'noted.example', severity: 'noop' },
      ])
      .execute()
    const digest = (domain: string) => createHash('sha256').update(domain).digest('hex')
    expect(await harness.domainBlocks()).toEqual([
      { domain: 'quie*.****ple', digest: digest('quiet.example'), severity: 'silence', comment: '' },
      { domain: 'rude.example', digest: digest('rude.example'), severity: 'suspend', comment: 'Rude' },
    ])
  })
})

describe('the privacy policy', () => {
  it('is the text of the settings, with the date of its last change', async () => {
    const harness = await open({ INSTANCE_PRIVACY_POLICY: '# Ours\n\nWe <keep> it.' })
    const said = await harness.privacyPolicy('de')
    expect(said).toEqual({ content: '<h2>Ours</h2>\n<p>We &lt;keep&gt; it.</p>', updatedAtMilliseconds: harness.clock.time })
    harness.clock.time += 60_000
    expect(await harness.privacyPolicy('fr')).toEqual(said)
  })

  it('is what comes with the server otherwise, in the language asked for, the first of the server, or English', async () => {
    const harness = await open({ INSTANCE_LANGUAGES: 'de' })
    const begins = async (language: string) => (await harness.privacyPolicy(language)).content.slice(0, 20)
    expect(await begins('fr')).toBe('<p>Voici ce que le lo'.slice(0, 20))
    for (const language of ['de', '', 'xx', 'toString']) expect(await begins(language)).toBe('<p>Das speichert die')
    const english = await open({ INSTANCE_LANGUAGES: 'xx' })
    const { content, updatedAtMilliseconds } = await english.privacyPolicy()
    expect(content).toMatch(/^<p>This is what .* about those\.<\/p>\n<h2>What is stored<\/h2>\n<ul>\n(<li>[^<]+<\/li>\n){8}<\/ul>/)
    expect(updatedAtMilliseconds).toBeGreaterThan(0)
  })
})
