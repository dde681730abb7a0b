import { type Person, World } from '@rookery/test-world'
import { said, stranger } from '@rookery/test-world/elsewhere'
import { idsOf, query, runJob, STORED_CARD } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const DAY = 86_400_000
/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const searchPath = (q: string, more: Record<string, string> = {}) => `/api/v2/search?${new URLSearchParams({ q, ...more })}`
const search = async (reader: Person | World, q: string, more: Record<string, string> = {}) => {
  const answer = await reader.get(searchPath(q, more))
  if (answer.status !== 200) throw new Error(`${q}: ${answer.status} ${answer.text}`)
  return answer.body
}
const statuses = async (reader: Person | World, q: string, more: Record<string, string> = {}): Promise<string[]> =>
  idsOf((await search(reader, q, { type: 'statuses', ...more })).statuses)
const handles = (accounts: { acct: string }[]) => accounts.map(({ acct }) => acct)
const changes = async (person: Person, body: Record<string, unknown>) => {
  expect((await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })).status).toBe(200)
}

describe('searching at all', () => {
  test('answers with one list of each kind', async () => {
    expect(await search(world, 'nothing-like-this')).toEqual({ accounts: [], statuses: [], hashtags: [] })
  })

  test.each(['/api/v2/search', '/api/v2/search?q=', '/api/v2/search?q=%20'])('%s needs a text', async (path) => {
    const answer = await world.get(path)
    expect([answer.status, answer.body]).toEqual([400, { error: 'param is missing or the value is empty: q' }])
  })

  test('refuses a negative offset, and takes the absolute value of a limit', async () => {
    expect((await mara.get('/api/v2/search?q=tea&type=accounts&offset=-1')).status).toBe(400)
    expect((await mara.get('/api/v1/accounts/search?q=tea&offset=-1')).status).toBe(400)
    for (const path of ['/api/v2/search', '/api/v1/accounts/search'])
      expect(await mara.get(`${path}?q=tea&limit=-1`)).toMatchObject({ status: 200, body: (await mara.get(`${path}?q=tea&limit=1`)).body })
  })

  test.each([
    ['resolve=true', 'Search queries that resolve remote resources are not supported without authentication'],
    ['offset=0&type=accounts', 'Search queries pagination is not supported without authentication'],
  ])('anonymous readers may not ask for %s', async (query, error) => {
    const answer = await world.get(`/api/v2/search?q=tea&${query}`)
    expect([answer.status, answer.body]).toEqual([401, { error }])
  })

  test('needs the scope', async () => {
    const stranger = await world.person('narrow', { scopes: 'read:statuses' })
    expect((await stranger.get(searchPath('tea'))).status).toBe(403)
    expect((await stranger.get('/api/v1/accounts/search?q=tea')).status).toBe(403)
    expect((await world.get('/api/v1/accounts/search?q=tea')).status).toBe(401)
  })

  test('bounds the ids it is given', async () => {
    expect((await mara.get(searchPath('tea', { max_id: 'x' }))).status).toBe(422)
    expect((await mara.get(searchPath('tea', { account_id: 'x' }))).status).toBe(422)
  })
})

describe('statuses', () => {
  test('are one’s own, those one did something with, and public ones of authors who let themselves be found', async () => {
    const { author, reader, found } = await world.cast('author', 'reader', 'found')
    await changes(found, { indexable: true })
    const word = 'quokka'
    const own = await reader.says(`my ${word}`, { visibility: 'direct' })
    const favourited = await author.says(`liked ${word}`)
    const boosted = await author.says(`boosted ${word}`, { visibility: 'unlisted' })
    const bookmarked = await author.says(`kept ${word}`)
    const mentioning = await author.says(`for @reader: ${word}`, { visibility: 'direct' })
    await author.says(`no one’s ${word}`)
    const open = await found.says(`open ${word}`)
    await found.says(`unlisted ${word}`, { visibility: 'unlisted' })
    await found.says(`private ${word}`, { visibility: 'private' })
    await reader.reacts('favourite', favourited)
    await reader.reacts('reblog', boosted)
    await reader.reacts('bookmark', bookmarked)
    const library = [mentioning, bookmarked, boosted, favourited, own].map(({ id }) => id)
    expect(await statuses(reader, word)).toEqual([open.id, ...library])
    expect(await statuses(reader, `${word} in:library`)).toEqual(library)
    expect(await statuses(reader, `${word} in:public`)).toEqual([open.id])
    expect(await statuses(reader, 'in:library')).toEqual(library)
    expect(await statuses(reader, 'in:public -from:author')).toContain(open.id)
    expect(await statuses(reader, 'is:sensitive')).toEqual([])
    expect(await statuses(mara, word)).toEqual([open.id])
    expect(await statuses(world, word)).toEqual([])
  })

  test('become findable, or findable no more, with what their author’s profile says, posted before and after', async () => {
    const { changing, seeker } = await world.cast('changing', 'seeker')
    const before = await changing.says('axolotl before')
    await changing.says('axolotl in private', { visibility: 'private' })
    expect(await statuses(seeker, 'axolotl')).toEqual([])
    await changes(changing, { indexable: true })
    const after = await changing.says('axolotl after')
    await world.advance(0)
    expect(await statuses(seeker, 'axolotl')).toEqual([after.id, before.id])
    await changes(changing, { indexable: false })
    expect(await statuses(seeker, 'axolotl')).toEqual([])
    await world.advance(0)
    expect(await statuses(seeker, 'axolotl')).toEqual([])
    expect(await query(world, 'select 1 from statuses.status where is_findable and author_id = $1', [changing.id])).toEqual([])
  })

  test('that were missed when their author became findable are marked by the night', async () => {
    const { missed } = await world.cast('missed')
    const said = await missed.says('olm in a cave')
    await query(world, 'update statuses.account set indexable = true where id = $1', [missed.id])
    expect(await statuses(mara, 'olm')).toEqual([])
    await runJob(world, 'mark-missed-findable')
    expect(await statuses(mara, 'olm')).toEqual([said.id])
  })

  test('hidden ones never appear, also when one did something with them', async () => {
    const { writer, fan } = await world.cast('writer', 'fan')
    await changes(writer, { indexable: true })
    await fan.follows(writer)
    const kept = await writer.says('wombat in the library', { visibility: 'private' })
    const open = await writer.says('wombat in public')
    await fan.reacts('favourite', kept)
    expect(await statuses(fan, 'wombat')).toEqual([open.id, kept.id])
    await fan.does('unfollow', writer)
    expect(await statuses(fan, 'wombat')).toEqual([open.id])
    await writer.does('block', fan)
    expect(await statuses(fan, 'wombat')).toEqual([])
    expect(await statuses(writer, 'wombat')).toEqual([open.id, kept.id])
    await writer.asks('DELETE', `/api/v1/statuses/${open.id}`)
    expect(await statuses(writer, 'wombat')).toEqual([kept.id])
  })

  test('of those whom the reader blocks or mutes are left out, a search among what one did something with included', async () => {
    const { herald, weary } = await world.cast('herald', 'weary')
    await changes(herald, { indexable: true })
    const older = await weary.says('capybara of my own')
    const said = await herald.says('capybara at the spa')
    await weary.reacts('favourite', said)
    for (const [act, end] of [
      ['mute', 'unmute'],
      ['block', 'unblock'],
    ] as const) {
      await weary.does(act, herald)
      expect([await statuses(weary, 'capybara'), await statuses(weary, 'capybara in:library')]).toEqual([[older.id], [older.id]])
      // A page is full though they wrote what is newest: apps take an empty one for the end.
      expect([await statuses(weary, 'capybara', { limit: '1' }), await statuses(weary, 'capybara', { offset: '1' })]).toEqual([
        [older.id],
        [],
      ])
      await weary.does(end, herald)
      expect(await statuses(weary, 'capybara')).toEqual([said.id, older.id])
    }
  })

  test('are found by words in any case, phrases, warnings and what pictures show, and not by what is unwanted', async () => {
    const tall = await mara.says('A giraffe is TALL indeed')
    const form = new FormData()
    form.set('file', new File([PICTURE], 'dot.png', { type: 'image/png' }))
    form.set('description', 'giraffe at night')
    const { id } = (await mara.asks('POST', '/api/v2/media', { body: form })).body
    const shown = await mara.says('look', { media_ids: [id] })
    const warned = await mara.says('long neck', { spoiler_text: 'giraffe inside' })
    expect(await statuses(mara, 'GIRAFFE')).toEqual([warned.id, shown.id, tall.id])
    expect(await statuses(mara, '"tall indeed"')).toEqual([tall.id])
    expect(await statuses(mara, '"indeed tall"')).toEqual([])
    expect(await statuses(mara, 'giraffe -tall -night')).toEqual([warned.id])
    expect(await statuses(mara, 'giraffe has:media')).toEqual([shown.id])
    expect(await statuses(mara, 'giraffe -has:media')).toEqual([warned.id, tall.id])
    expect(await statuses(mara, 'giraffe has:image')).toEqual([shown.id])
    expect(await statuses(mara, 'giraffe has:media -has:image')).toEqual([])
    expect(await statuses(mara, 'giraffe has:media -has:video -has:audio')).toEqual([shown.id])
    expect([await statuses(mara, 'giraffe has:video'), await statuses(mara, 'giraffe has:audio')]).toEqual([[], []])
    expect(await statuses(mara, 'giraffe is:sensitive')).toEqual([warned.id])
    expect(await statuses(mara, 'giraffe or')).toEqual([])
    expect(await statuses(mara, '-giraffe')).toEqual([])
    const described = await mara.asks('PUT', `/api/v1/media/${id}`, { body: { description: 'an okapi' } })
    expect(described.status).toBe(200)
    await world.idle()
    expect(await statuses(mara, 'okapi')).toEqual([shown.id])
  })

  test('are replies also where what they answer is not known here', async () => {
    const { rita } = await world.cast('rita')
    const author = await stranger(world, 'quinn')
    const toRita = { mentionedAccountIds: [rita.id] }
    const post = await said(world, author, '@rita wombat', toRita)
    const reply = await said(world, author, '@rita wombat too', { ...toRita, isReplyToUnknown: true })
    expect(await statuses(rita, 'wombat is:reply')).toEqual([reply.id])
    expect(await statuses(rita, 'wombat -is:reply')).toEqual([post.id])
  })

  test('are found by author, kind, language and link', async () => {
    const { poster, other } = await world.cast('poster', 'other')
    const root = await poster.says('koala one https://example.org/eucalyptus', { language: 'en' })
    const reply = await poster.says('koala two', { language: 'de', in_reply_to_id: root.id })
    const mention = await other.says('koala for @poster')
    const all = [mention.id, reply.id, root.id]
    expect(await statuses(poster, 'from:me')).toEqual([reply.id, root.id])
    expect(await statuses(poster, 'koala')).toEqual(all)
    expect(await statuses(poster, 'koala from:@Other')).toEqual([mention.id])
    expect(await statuses(poster, `from:other@${new URL(world.origin).host}`)).toEqual([mention.id])
    expect(await statuses(poster, 'from:other@elsewhere.example')).toEqual([])
    expect(await statuses(poster, 'from:nobody')).toEqual([])
    expect(await statuses(poster, 'koala -from:me')).toEqual([mention.id])
    expect(await statuses(poster, 'koala from:me from:other')).toEqual(all)
    expect(await statuses(poster, 'koala is:reply')).toEqual([reply.id])
    expect(await statuses(poster, 'koala language:de')).toEqual([reply.id])
    expect(await statuses(poster, 'koala -language:de -from:other')).toEqual([root.id])
    expect(await statuses(poster, 'koala has:link')).toEqual([root.id])
    for (const [type, found] of [
      ['link', []],
      ['video', [root.id]],
    ] as const) {
      await query(world, 'update statuses.preview_card set card = $1', [JSON.stringify({ ...STORED_CARD, type })])
      expect(await statuses(poster, 'koala has:embed')).toEqual(found)
      expect(await statuses(poster, 'koala -has:embed')).toEqual(all.filter((id) => !(found as readonly string[]).includes(id)))
    }
    const asking = await poster.says('koala or wombat?', { poll: { options: ['koala', 'wombat'], expires_in: 3600 } })
    expect(await statuses(poster, 'koala has:poll')).toEqual([asking.id])
    await poster.asks('DELETE', `/api/v1/statuses/${asking.id}`)
    expect(await statuses(poster, 'koala', { account_id: other.id })).toEqual([mention.id])
    expect(await statuses(poster, 'koala from:me', { account_id: other.id })).toEqual([])
  })

  test('are found by day', async () => {
    const { diarist } = await world.cast('diarist')
    const today = await diarist.says('numbat today')
    await world.advance(DAY)
    const tomorrow = await diarist.says('numbat tomorrow')
    const [first, second] = [today, tomorrow].map(({ created_at }) => created_at.slice(0, 10))
    expect(await statuses(diarist, `numbat during:${first}`)).toEqual([today.id])
    expect(await statuses(diarist, `numbat before:${second}`)).toEqual([today.id])
    expect(await statuses(diarist, `numbat after:${first}`)).toEqual([tomorrow.id])
    expect(await statuses(diarist, `from:me after:${second}`)).toEqual([])
    for (const far of ['after:9999-12-31', 'during:9999-01-01', 'before:0000-01-01'])
      expect(await statuses(diarist, `numbat ${far}`)).toEqual([])
    for (const wide of ['before:9999-12-31', 'after:0000-01-01'])
      expect(await statuses(diarist, `numbat ${wide}`)).toEqual([tomorrow.id, today.id])
  })

  test('are found by words with _ and - in them as they stand, and not by the pieces', async () => {
    const { speller } = await world.cast('speller')
    const said: Record<string, string> = {}
    const texts = [
      'snake_case',
      'snake case',
      'snake-case',
      'a snake_case_name',
      'the_snake_case',
      'SNAKE_CASE!',
      '(“snake_case”), -snake_case',
      'e-mail',
      'e mail',
      'my e-mail-address',
      'größe_drei',
    ]
    for (const text of texts) said[text] = (await speller.says(text)).id
    const found = async (q: string) => {
      const ids = await statuses(speller, q)
      return texts.filter((text) => ids.includes(said[text]!))
    }
    const whole = ['snake_case', 'SNAKE_CASE!', '(“snake_case”), -snake_case']
    expect(await found('snake_case')).toEqual(whole)
    expect(await found('"snake_case"')).toEqual(whole)
    expect(await found('snake-case')).toEqual(['snake-case'])
    expect(await found('"snake case"')).toEqual(expect.arrayContaining(['snake case', 'snake_case']))
    expect(await found('the_snake_case')).toEqual(['the_snake_case'])
    expect(await found('case snake_case_name')).toEqual(['a snake_case_name'])
    expect(await found('e-mail')).toEqual(['e-mail'])
    expect(await found('größe_drei')).toEqual(['größe_drei'])
    expect(await found('größe_dre')).toEqual([])
    expect(await found('snake -snake_case')).toEqual(['snake case', 'snake-case', 'a snake_case_name', 'the_snake_case'])
    const warned = await speller.says('look', { spoiler_text: 'snake_case' })
    expect(await statuses(speller, 'snake_case look')).toEqual([warned.id])
  })

  test('are not found by a hashtag, which finds hashtags alone', async () => {
    const { tagger } = await world.cast('tagger')
    await changes(tagger, { display_name: 'pademelon' })
    const said = await tagger.says('#pademelon and #pademelon_two')
    for (const q of ['#pademelon', '＃pademelon', ' #PADEMELON ']) {
      expect(await search(tagger, q)).toMatchObject({
        accounts: [],
        statuses: [],
        hashtags: [{ name: 'pademelon' }, { name: 'pademelon_two' }],
      })
      expect(await statuses(tagger, q)).toEqual([])
      expect((await search(tagger, q, { type: 'accounts' })).accounts).toEqual([])
      expect((await search(tagger, q, { type: 'hashtags' })).hashtags).toHaveLength(2)
    }
    expect((await search(tagger, '#pademelon_two')).hashtags).toMatchObject([{ name: 'pademelon_two' }])
    expect(await statuses(tagger, 'pademelon')).toEqual([said.id])
    expect(await statuses(tagger, '#pademelon and')).toEqual([said.id])
    expect(await statuses(tagger, '"#pademelon"')).toEqual([said.id])
  })

  test('come in pages, at the same cost regardless of their number', async () => {
    const { talker } = await world.cast('talker')
    const said: string[] = []
    for (let number = 0; number < 7; number++) said.unshift((await talker.says(`bilby ${number}`)).id)
    expect(await statuses(talker, 'bilby', { limit: '3' })).toEqual(said.slice(0, 3))
    expect(await statuses(talker, 'bilby', { limit: '3', offset: '3' })).toEqual(said.slice(3, 6))
    expect(await statuses(talker, 'bilby', { limit: '3', max_id: said[2]! })).toEqual(said.slice(3, 6))
    expect(await statuses(talker, 'bilby', { limit: '3', min_id: said[6]! })).toEqual(said.slice(3, 6))
    expect(await statuses(talker, 'bilby', { limit: '0' })).toEqual([])
    expect(await statuses(talker, 'bilby', { limit: '99' })).toEqual(said)
    const many = world.lastRequest
    expect(await statuses(talker, 'bilby', { limit: '1' })).toHaveLength(1)
    expect(world.lastRequest).toEqual(many)
    expect(many.hops).toBe(2)
    expect(many.statements).toBeLessThanOrEqual(4)
  })

  describe('among very many', () => {
    const COUNT = 1500
    let crowd: Person
    let old: string
    /** Rows as posts leave them: no one can post so much in a test. */
    beforeAll(async () => {
      crowd = await world.person('crowd')
      await changes(crowd, { indexable: true })
      old = (await crowd.says('thylacine of long ago')).id
      await query(
        world,
        `with s as (select $2::bigint + n * 65536 id from generate_series(1, $3::int) n),
           h as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
             select id, $1::bigint, 1, true, false, false, id from s),
           counted as (update statuses.account set statuses_count = statuses_count + $3::int where id = $1::bigint)
         insert into statuses.status (id, author_id, text, spoiler_text, sensitive, language, content, created_at, is_findable)
           select id, $1::bigint, 'dodo here', '', false, 'en', '', now(), true from s`,
        [crowd.id, old, COUNT],
      )
      await world.advance(60_000)
    })
    const cost = async (q: string) => {
      const found = await statuses(mara, q)
      return { found: found.length, statements: world.lastRequest.statements }
    }

    test('a common word is found by looking at the newest', async () => {
      await cost('dodo')
      expect(await cost('dodo')).toEqual({ found: 20, statements: 2 })
    })

    test('a rare word is found however long ago it was used, by one statement more', async () => {
      await statuses(mara, 'thylacine')
      expect(await statuses(mara, 'thylacine')).toEqual([old])
      expect(world.lastRequest.statements).toBe(3)
    })

    test('what one did something with is found among very much of one’s own', async () => {
      const [{ id }] = (await query(world, 'select id::text from statuses.status where author_id = $1 order by id limit 1', [
        crowd.id,
      ])) as [{ id: string }]
      await mara.post(`/api/v1/statuses/${id}/favourite`)
      await joel.post(`/api/v1/statuses/${id}/reblog`)
      expect(await statuses(mara, 'thylacine in:library')).toEqual([id])
      expect(await statuses(joel, 'thylacine in:library')).toEqual([id])
      expect(await statuses(crowd, 'thylacine in:library')).toEqual([id])
      expect(await statuses(crowd, 'thylacine from:me')).toEqual([id])
      expect(await statuses(crowd, 'dodo', { limit: '2', min_id: id })).toHaveLength(2)
    })

    test.each(['1500', '2147483647', '9223372036854775807'])('offset %s among very much of one’s own finds nothing', async (offset) => {
      for (const q of ['thylacine', 'thylacine from:me', 'dodo in:library'])
        expect([q, await statuses(crowd, q, { offset })]).toEqual([q, []])
    })

    test('no text is too much there', async () => {
      const many = Array.from({ length: 40 }, (_, number) => `from:person${number}`).join(' ')
      const words = [
        '①',
        'ⅷ',
        '٣',
        '<->',
        'a-b_c',
        "it's",
        '"dodo here"',
        'http://x',
        '\\1',
        'x'.repeat(399),
        'd '.repeat(199),
        many,
        `${many} dodo`,
      ]
      for (const q of words) for (const where of ['', ' from:me', ' in:library']) await statuses(crowd, q + where)
      expect(await statuses(crowd, '"dodo here" from:me', { limit: '2' })).toHaveLength(2)
    })

    test('a word that is nowhere is looked for twice', async () => {
      expect(await cost('moa')).toEqual({ found: 0, statements: 3 })
    })
  })

  test('no text is too much', async () => {
    for (const q of ['"'.repeat(3000), '-'.repeat(3000), "'); drop table status; --", '& | ! ( ) : * <->', 'a '.repeat(1500), '\\', '%']) {
      expect((await mara.get(searchPath(q))).status).toBe(200)
    }
  })
})

describe('accounts', () => {
  test('are found by handle and name, the exact handle first', async () => {
    const { tea, teapot, steel } = await world.cast('teapot', 'tea', 'steel')
    await changes(steel, { display_name: 'Green Tea Club' })
    await joel.follows(teapot)
    expect(handles((await search(world, 'tea')).accounts)).toEqual(['tea', 'teapot', 'steel'])
    expect(handles((await search(world, 'TEA')).accounts)[0]).toBe('tea')
    expect(handles((await search(joel, 'te', { type: 'accounts' })).accounts)).toEqual(['teapot', 'tea', 'steel'])
    expect(handles((await search(joel, 'tea', { type: 'accounts', following: 'true' })).accounts)).toEqual(['teapot'])
    expect(handles((await search(world, 'green tea')).accounts)).toEqual(['steel'])
    expect(handles((await search(world, `@tea@${new URL(world.origin).host}`)).accounts)[0]).toBe('tea')
    expect((await search(world, '@tea@elsewhere.example')).accounts).toEqual([])
    expect((await search(world, '#tea')).accounts).toEqual([])
    expect((await search(world, 't%a')).accounts).toEqual([])
    expect(handles((await joel.get('/api/v1/accounts/search?q=tea&limit=2')).body)).toEqual(['tea', 'teapot'])
    expect(handles((await joel.get('/api/v1/accounts/search?q=tea&limit=2&offset=2')).body)).toEqual(['steel'])
    expect(handles((await joel.get('/api/v1/accounts/search?q=tea&following=1')).body)).toEqual(['teapot'])
    expect(tea.id).not.toBe(teapot.id)
    expect(world.lastRequest.statements).toBeLessThanOrEqual(4)
    expect((await joel.get('/api/v1/accounts/search')).status).toBe(400)
  })

  test('are found by names with _ and - in them, of which neither stands for another character', async () => {
    const { sea_cow, seaxcow, dugong } = await world.cast('sea_cow', 'seaxcow', 'dugong')
    await changes(dugong, { display_name: 'Sea-Cow of the_deep' })
    const found = async (q: string) => handles((await search(seaxcow, q, { type: 'accounts' })).accounts)
    expect(await found('sea_cow')).toEqual(['sea_cow'])
    expect(await found('@SEA_cow')).toEqual(['sea_cow'])
    expect(await found('sea_')).toEqual(['sea_cow'])
    expect(await found('sea-cow')).toEqual(['dugong'])
    expect(await found('the_deep')).toEqual(['dugong'])
    expect(await found('the-deep')).toEqual([])
    expect(sea_cow.id).not.toBe(dugong.id)
  })

  test('are not found across a block, but for the exact handle of whom one blocks', async () => {
    const { newt, newton, newtown } = await world.cast('newt', 'newton', 'newtown')
    await newt.does('block', newton)
    expect(handles((await search(newt, 'newto')).accounts)).toEqual(['newtown'])
    expect(handles((await search(newt, 'newton')).accounts)).toEqual(['newton'])
    expect(handles((await search(newton, 'newt')).accounts).sort()).toEqual(['newton', 'newtown'])
    expect(handles((await search(newtown, 'newt')).accounts).sort()).toEqual(['newt', 'newton', 'newtown'])
  })

  test('who are silenced are found by followers and the exact handle, who are suspended by no one', async () => {
    const { otter, otters, ottery } = await world.cast('otter', 'otters', 'ottery')
    await otter.follows(otters)
    await query(world, 'update statuses.account set is_silenced = true where id = any($1::bigint[])', [[otters.id, ottery.id]])
    expect(handles((await search(otter, 'otte')).accounts)).toEqual(['otters', 'otter'])
    expect(handles((await search(otter, 'ottery')).accounts)).toEqual(['ottery'])
    await query(world, 'update statuses.account set is_suspended = true where id = any($1::bigint[])', [[otters.id, ottery.id]])
    expect(handles((await search(otter, 'otte')).accounts)).toEqual(['otter'])
    expect(handles((await search(otter, 'ottery')).accounts)).toEqual([])
  })

  test('an address of this server leads to the one account alone', async () => {
    const path = (q: string, more = '') => `/api/v1/accounts/search?q=${encodeURIComponent(q)}${more}`
    expect(handles((await joel.get(path(`${world.origin}/@mara`, '&resolve=true'))).body)).toEqual(['mara'])
    expect((await joel.get(path(`${world.origin}/@mara`))).body).toEqual([])
    expect((await joel.get(path('https://elsewhere.example/@mara', '&resolve=true'))).body).toEqual([])
  })

  test('of any number cost the same', async () => {
    await world.cast(...Array.from({ length: 20 }, (_, index) => `lemur${index}`))
    const cost = async (q: string) => {
      await joel.get(`/api/v1/accounts/search?q=${q}`)
      const { length } = (await joel.get(`/api/v1/accounts/search?q=${q}`)).body
      return [length, world.lastRequest]
    }
    expect(await cost('lemur11')).toEqual([1, { hops: 2, statements: 2 }])
    expect(await cost('lemur')).toEqual([20, { hops: 2, statements: 2 }])
  })

  test('of hundreds that begin alike are found the same the second time, but for whom a block or a follow changes', async () => {
    const { searching, zebra0 } = await world.cast('searching', 'zebra0')
    await query(
      world,
      `insert into statuses.account (id, username, is_active, followers_count, created_at)
       select 3000000 + n, 'zebra' || n, true, n, now() from generate_series(1, 300) n`,
    )
    const found = async (more: Record<string, string> = {}) =>
      handles((await search(searching, 'zebr', { type: 'accounts', limit: '5', ...more })).accounts)
    const first = await found()
    expect(first).toEqual(['zebra300', 'zebra299', 'zebra298', 'zebra297', 'zebra296'])
    expect(await found()).toEqual(first)
    expect(await found({ offset: '2147483647' })).toEqual([])
    expect(await found({ offset: '295' })).toEqual(['zebra5', 'zebra4', 'zebra3', 'zebra2', 'zebra1'])
    await searching.post('/api/v1/accounts/3000300/block')
    await searching.follows(zebra0)
    expect(await found()).toEqual(['zebra0', ...first.slice(1)])
    expect(handles((await search(joel, 'zebr', { type: 'accounts', limit: '5' })).accounts)).toEqual(first)
    expect(handles((await search(searching, 'zebra7', { type: 'accounts', limit: '1' })).accounts)).toEqual(['zebra7'])
  })

  test('of hundreds that begin alike are the exact handle first and once, followed or blocked', async () => {
    const { finding } = await world.cast('finding')
    await query(
      world,
      `insert into statuses.account (id, username, is_active, followers_count, created_at)
       select 5000000 + n, 'okap' || case when n = 0 then '' else 'i' || n end, true, 1000 - n, now() from generate_series(0, 300) n`,
    )
    const found = async () => handles((await search(finding, 'okap', { type: 'accounts', limit: '3' })).accounts)
    const expected = ['okap', 'okapi1', 'okapi2']
    expect([await found(), await found()]).toEqual([expected, expected])
    await finding.post('/api/v1/accounts/5000001/follow')
    expect(await found()).toEqual(expected)
    await finding.post('/api/v1/accounts/5000000/follow')
    expect(await found()).toEqual(expected)
    await finding.post('/api/v1/accounts/5000000/block')
    expect(await found()).toEqual(expected)
    await found()
    // Who of the strangers is shown to anyone is read by all searches of a moment together.
    expect(world.lastRequest.statements).toBe(3)
  })

  test('of hundreds that begin alike are not those of a server that the reader blocks, nor who blocks the reader', async () => {
    const { barring, quaggas } = await world.cast('barring', 'quaggas')
    await query(
      world,
      `insert into statuses.account (id, username, domain, uri, is_active, followers_count, created_at)
       select 4000000 + n, 'quagga' || n, 'barred.example', 'https://barred.example/' || n, true, n, now() from generate_series(298, 300) n
       union all select 4000000 + n, 'quagga' || n, null, null, true, n, now() from generate_series(1, 297) n`,
    )
    await query(world, 'update statuses.account set followers_count = 1000 where id = $1', [quaggas.id])
    const found = async () => handles((await search(barring, 'quagg', { type: 'accounts', limit: '3' })).accounts)
    await found()
    expect(await found()).toEqual(['quaggas', 'quagga300@barred.example', 'quagga299@barred.example'])
    await quaggas.does('block', barring)
    expect((await barring.asks('POST', '/api/v1/domain_blocks', { body: { domain: 'barred.example' } })).status).toBe(200)
    expect(await found()).toEqual(['quagga297', 'quagga296', 'quagga295'])
    await found()
    // Who of the strangers is shown to anyone is read by all searches of a moment together.
    expect(world.lastRequest.statements).toBe(3)
  })

  test('offset counts only with a type', async () => {
    expect(handles((await search(mara, 'mara', { offset: '1' })).accounts)).toEqual(['mara'])
    expect(handles((await search(mara, 'mara', { offset: '1', type: 'accounts' })).accounts)).toEqual([])
  })
})

describe('addresses', () => {
  test('lead to the account or status alone, and only to what the reader may see', async () => {
    const said = await mara.says('a post with an address')
    const hidden = await mara.says('a hidden post', { visibility: 'private' })
    const resolve = (url: string, more = {}) => search(joel, url, { resolve: 'true', ...more })
    expect(idsOf((await resolve(said.url)).statuses)).toEqual([said.id])
    expect(idsOf((await resolve(said.uri)).statuses)).toEqual([said.id])
    expect(await resolve(said.url)).toMatchObject({ accounts: [], hashtags: [] })
    expect((await resolve(said.url, { type: 'accounts' })).statuses).toEqual([])
    expect(idsOf((await resolve(`${world.origin}/@mara`)).accounts)).toEqual([mara.id])
    const nothing = { accounts: [], statuses: [], hashtags: [] }
    for (const url of [
      hidden.url,
      said.url.replace('@mara', '@joel'),
      `${world.origin}/@nobody`,
      `${world.origin}/about`,
      'https://elsewhere.example/@mara',
    ]) {
      expect(await resolve(url)).toEqual(nothing)
    }
    expect(idsOf((await search(mara, hidden.url, { resolve: 'true' })).statuses)).toEqual([hidden.id])
  })
})

describe('hashtags', () => {
  const history = (body: { history: unknown[] }) => body.history[0]

  test('are found by how they begin, the tag itself first, with a week of public use', async () => {
    await mara.says('#Marsupial #marsupials #MarsupialsOfTasmania')
    await joel.says('#marsupials again')
    await joel.says('#marsupialsecret', { visibility: 'direct' })
    const { hashtags } = await search(world, '#marsupials')
    expect(hashtags.map(({ name }: { name: string }) => name)).toEqual(['marsupials', 'MarsupialsOfTasmania'])
    expect(hashtags[0]).toEqual({
      id: expect.stringMatching(/^[1-9]\d*$/),
      name: 'marsupials',
      url: `${world.origin}/tags/marsupials`,
      history: Array.from({ length: 7 }, (_, ago) => ({
        day: String(Math.floor(world.clock.now() / DAY - ago) * 86_400),
        uses: ago === 0 ? '2' : '0',
        accounts: ago === 0 ? '2' : '0',
      })),
    })
    expect(world.lastRequest.statements).toBeLessThanOrEqual(4)
    expect((await search(world, 'MARSUP', { type: 'hashtags', limit: '2' })).hashtags).toHaveLength(2)
    expect((await search(mara, 'marsup', { type: 'hashtags', limit: '2', offset: '2' })).hashtags).toHaveLength(1)
    expect((await search(world, '@marsupials')).hashtags).toEqual([])
    expect((await search(world, 'two words')).hashtags).toEqual([])
  })

  test('are with exclude_unreviewed those that staff approved or rejected, and the tag itself', async () => {
    const moderator = await world.person('reviewer', { role: 'moderator', scopes: 'read write admin:read admin:write' })
    await mara.says('#dugong #dugongherd #dugongcalf #dugongbay')
    const tags = (await search(mara, 'dugong', { type: 'hashtags' })).hashtags as { id: string; name: string }[]
    const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id
    const decide = (name: string, decision: string) => moderator.post(`/api/v1/admin/trends/tags/${idOf(name)}/${decision}`)
    expect((await decide('dugongherd', 'approve')).status).toBe(200)
    expect((await decide('dugongbay', 'reject')).status).toBe(200)
    const found = async (value: string) =>
      (await search(world, 'dugong', { type: 'hashtags', exclude_unreviewed: value })).hashtags.map(({ name }: { name: string }) => name)
    expect(await found('true')).toEqual(['dugong', 'dugongbay', 'dugongherd'])
    expect(await found('false')).toEqual(['dugong', 'dugongbay', 'dugongcalf', 'dugongherd'])
  })

  test('one that no one used in public is found only by those who follow or feature it', async () => {
    for (const [name, act] of [
      ['numbat', 'follow'],
      ['numbatburrow', 'feature'],
    ])
      expect((await mara.asks('POST', `/api/v1/tags/${name}/${act}`)).status).toBe(200)
    const found = async (reader: Person | World) =>
      (await search(reader, 'numbat', { type: 'hashtags' })).hashtags.map(({ name }: { name: string }) => name)
    expect(await found(mara)).toEqual(['numbat', 'numbatburrow'])
    expect([await found(joel), await found(world)]).toEqual([[], []])
    expect((await mara.asks('POST', '/api/v1/tags/numbat/unfollow')).status).toBe(200)
    expect(await found(mara)).toEqual(['numbatburrow'])
  })

  test('a tag has an answer of its own, used or not', async () => {
    await mara.says('#Quoll')
    await mara.says('#quoll')
    const used = await world.get('/api/v1/tags/QUOLL')
    expect(used.body).toMatchObject({ name: 'Quoll', url: `${world.origin}/tags/quoll` })
    expect(history(used.body)).toMatchObject({ uses: '2', accounts: '1' })
    await world.advance(8 * DAY)
    expect(history((await world.get('/api/v1/tags/quoll')).body)).toMatchObject({ uses: '0', accounts: '0' })
    const unused = await world.get('/api/v1/tags/NobodyUsesThis')
    expect([unused.status, unused.body.name, unused.body.history.length]).toEqual([200, 'NobodyUsesThis', 7])
    for (const name of ['2024', 'a-b', '%20', 'tea%20time']) expect((await world.get(`/api/v1/tags/${name}`)).status).toBe(404)
  })
})
