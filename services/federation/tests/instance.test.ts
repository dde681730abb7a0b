import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from './stage.ts'

const opened: Stage[] = []
const open = async (environment: Record<string, string> = {}) => {
  const stage = await openStage(environment)
  opened.push(stage)
  return stage
}
afterEach(async () => {
  for (const stage of opened.splice(0)) await stage.close()
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
  it('says what the settings say, with the figures of statuses', async () => {
    const stage = await open(SETTINGS)
    expect(await stage.read()).toEqual({
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
    })
  })

  it('has a name and a language without any settings, and asks for no contact', async () => {
    const stage = await open()
    expect(await stage.read()).toMatchObject({ title: 'Rookery', description: '', languages: ['en'], contactAccount: undefined, rules: [] })
    expect(stage.statuses.calls).toEqual(['readFigures'])
  })

  it('says what is stored rather than what the settings say', async () => {
    const stage = await open(SETTINGS)
    await stage.db
      .insertInto('instanceText')
      .values([
        { name: 'title', value: 'Another' },
        { name: 'description', value: 'Longer' },
        { name: 'contact_account', value: 'nobody' },
      ])
      .execute()
    await stage.db
      .insertInto('rule')
      .values([
        { text: 'Second', hint: 'really', priority: 2 },
        { text: 'First', priority: 1 },
      ])
      .execute()
    await stage.db
      .insertInto('peer')
      .values([{ domain: 'b.example' }, { domain: 'a.example' }])
      .execute()
    const card = await stage.read()
    expect(card).toMatchObject({ title: 'Another', shortDescription: 'A tree full of talk', description: 'Longer', peers: 2 })
    expect(card.contactAccount).toBeUndefined()
    expect(card.rules).toEqual([
      { id: '2', text: 'First', hint: '' },
      { id: '1', text: 'Second', hint: 'really' },
    ])
    expect(await stage.rules()).toEqual(card.rules)
  })

  it('asks statuses once a minute, however many ask', async () => {
    const stage = await open(SETTINGS)
    await Promise.all(Array.from({ length: 20 }, () => stage.read()))
    expect(stage.statuses.calls.sort()).toEqual(['lookup', 'readFigures'])
    stage.statuses.people = 4
    stage.clock.time += 59_999
    expect((await stage.read()).people).toBe(3)
    stage.clock.time += 1
    expect((await stage.read()).people).toBe(4)
  })

  it('costs three statements', async () => {
    const stage = await open()
    await stage.read()
    stage.statements.length = 0
    await stage.read()
    expect(stage.statements).toHaveLength(3)
  })

  it('shows the last figures while statuses is away', async () => {
    const stage = await open(SETTINGS)
    await stage.read()
    stage.statuses.isAway = true
    stage.clock.time += 60_000
    expect(await stage.read()).toMatchObject({ people: 3, contactAccount: { id: '7' } })
  })

  it('is unavailable while statuses was never there, and comes back with it', async () => {
    const stage = await open(SETTINGS)
    stage.statuses.isAway = true
    await expect(stage.read()).rejects.toMatchObject({ kind: 'unavailable' })
    stage.statuses.isAway = false
    expect((await stage.read()).people).toBe(3)
  })
})

describe('the extended description', () => {
  it('is HTML of paragraphs', async () => {
    const stage = await open(SETTINGS)
    expect((await stage.extendedDescription()).content).toBe(
      '<p>Be &lt;kind&gt;.<br />Always.</p><p>Tea &amp; cake at &quot;four&quot;.</p>',
    )
  })

  it('of the settings keeps the date it was first read with these words, whatever starts later', async () => {
    const stage = await open(SETTINGS)
    const firstRead = stage.clock.time
    expect((await stage.extendedDescription()).updatedAtMilliseconds).toBe(firstRead)
    stage.clock.time += 3_600_000
    stage.restart(SETTINGS)
    expect((await stage.extendedDescription()).updatedAtMilliseconds).toBe(firstRead)
    stage.restart({ ...SETTINGS, INSTANCE_EXTENDED_DESCRIPTION: 'Be kinder.' })
    expect(await stage.extendedDescription()).toEqual({ updatedAtMilliseconds: firstRead + 3_600_000, content: '<p>Be kinder.</p>' })
  })

  it('has no date when none is set', async () => {
    const stage = await open()
    expect(await stage.extendedDescription()).toEqual({ updatedAtMilliseconds: undefined, content: '' })
  })

  it('is as old as what is stored', async () => {
    const stage = await open(SETTINGS)
    const updatedAt = new Date('2025-12-24T18:00:00Z')
    await stage.db.insertInto('instanceText').values({ name: 'extended_description', value: 'Welcome', updatedAt }).execute()
    expect(await stage.extendedDescription()).toEqual({ updatedAtMilliseconds: updatedAt.getTime(), content: '<p>Welcome</p>' })
  })
})

describe('other servers', () => {
  it('are listed by name', async () => {
    const stage = await open()
    expect(await stage.peers()).toEqual([])
    await stage.db
      .insertInto('peer')
      .values([{ domain: 'b.example' }, { domain: 'a.example' }])
      .execute()
    expect(await stage.peers()).toEqual(['a.example', 'b.example'])
  })

  it('are shown as blocked where people notice, hidden where that is asked for', async () => {
    const stage = await open()
    await stage.db
      .insertInto('domainBlock')
      .values([
        { domain: 'rude.example', severity: 'suspend', publicComment: 'Rude', privateComment: 'Secret' },
        { domain: 'quiet.example', severity: 'silence', obfuscate: true },
        { domain: 'noted.example', severity: 'noop' },
      ])
      .execute()
    const digest = (domain: string) => createHash('sha256').update(domain).digest('hex')
    expect(await stage.domainBlocks()).toEqual([
      { domain: 'quie*.****ple', digest: digest('quiet.example'), severity: 'silence', comment: '' },
      { domain: 'rude.example', digest: digest('rude.example'), severity: 'suspend', comment: 'Rude' },
    ])
  })
})
