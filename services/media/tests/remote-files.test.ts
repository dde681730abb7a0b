import { RemoteFilePurpose } from '@rookery/contracts/media'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, filmTests, hasFilms, stripes, TOOLS } from './films.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { type Origin, openOrigin } from './origin.ts'
import { animation, claimedPng, corners } from './pictures.ts'

const { ORIGINAL, PREVIEW, AVATAR, HEADER, EMOJI } = RemoteFilePurpose
const DAY = 86_400_000

let origin: Origin
let harness: Harness
let picture: Buffer

beforeAll(async () => {
  origin = await openOrigin()
  harness = await openHarness({
    mayConnect: ({ address, port }) => address === '127.0.0.1' && port === origin.port,
    ...(hasFilms && { motion: TOOLS }),
  })
  picture = await corners(1000, 1000).png().toBuffer()
})
afterAll(async () => {
  await harness.close()
  await origin.close()
})

type Asked = { purpose?: RemoteFilePurpose; domain?: string; isWantedSoon?: boolean }

const address = async (url: string, { purpose = ORIGINAL, domain = 'far.example', isWantedSoon = false }: Asked = {}, at = harness) =>
  (await at.remoteFiles.address(call(), { domain, files: [{ url, purpose }], isWantedSoon })).addresses[0]!
const bytesAt = async (url: string) => Buffer.from(await (await harness.fetchFile(url)).arrayBuffer())
const statusAt = async (url: string) => (await harness.fetchFile(url)).status
const times = (path: string) => origin.asked.filter((each) => each === path).length
const results = (at = harness) =>
  Object.fromEntries(
    (
      at.media.metrics!.find(({ name }) => name === 'rookery_remote_media_fetches_total')!.count() as {
        labels: { result: string }
        value: number
      }[]
    )
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => [labels.result, value]),
  )
const limited = (domain: string, changes: { isSilenced?: boolean; isSuspended?: boolean; rejectsMedia?: boolean }) =>
  harness.hear({
    $case: 'domainLimited',
    value: { domain, isSilenced: false, isSuspended: false, rejectsMedia: false, isDecided: false, ...changes },
  })

describe('a file of another server', () => {
  test('has an address here, and is fetched when someone first asks for it, not before', async () => {
    const url = origin.has('/original.png', picture)
    const { url: here, staticUrl } = await address(url)
    expect(here).toMatch(/^https:\/\/rookery\.example\/media\/remote\/original\/[\w-]{22}\/[\w-]+$/)
    expect(staticUrl).toBe(here)
    await harness.work()
    expect(times('/original.png')).toBe(0)
    const answer = await harness.fetchFile(here)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f]{32}\.png"$/),
      'cache-control': 'public, max-age=604800',
    })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture)
    const part = await harness.fetchFile(here, { headers: { Range: 'bytes=1-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'PNG'])
    expect(times('/original.png')).toBe(1)
  })

  test('goes on being shown when its server is gone', async () => {
    const url = origin.has('/kept.png', picture)
    const { url: here } = await address(url)
    expect(await statusAt(here)).toBe(200)
    origin.answers('/kept.png', (request) => request.socket.destroy())
    expect(await statusAt(here)).toBe(200)
  })

  test('is fetched once for all who ask at once', async () => {
    const url = origin.has('/joined.png', picture)
    const { url: here } = await address(url)
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusAt(here)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(times('/joined.png')).toBe(1)
  })

  test('is what its first bytes say, and nothing that could act as a page', async () => {
    const html = origin.has('/page.png', Buffer.from('<html><script>alert(1)</script>'), 'image/png')
    const svg = origin.has('/drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')
    const jpeg = origin.has('/is-jpeg.html', await corners(8, 8).jpeg().toBuffer(), 'text/html')
    expect(await statusAt((await address(html)).url)).toBe(404)
    expect(await statusAt((await address(svg)).url)).toBe(404)
    expect((await harness.fetchFile((await address(jpeg)).url)).headers.get('content-type')).toBe('image/jpeg')
  })

  test('cannot be asked for by an address that this server did not make', async () => {
    const url = origin.has('/secret.png', picture)
    const { url: here } = await address(url)
    const other = (await address(`${url}?other`)).url
    const forged = here.split('/').with(-1, other.split('/').at(-1)!).join('/')
    const unsigned = here.replace(/original\/[\w-]+\//, `original/${'A'.repeat(22)}/`)
    for (const path of [forged, unsigned, here.replace('/original/', '/avatar/'), here.replace('/original/', '/nothing/')]) {
      const answer = await harness.fetchFile(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
    }
    expect(origin.asked.filter((path) => path.startsWith('/secret.png'))).toEqual([])
  })

  test.each([
    'javascript:alert(1)',
    'https://me:secret@far.example/',
    '',
    'ftp://far.example/a',
    `https://far.example/${'a'.repeat(3000)}`,
  ])('at %s has no address', async (url) => expect(await address(url)).toEqual({ url: '', staticUrl: '' }))
})

describe('what is made of it', () => {
  test('a preview is small, and fetched in the background when it is likely to be seen', async () => {
    const url = origin.has('/preview.png', picture)
    const { url: here } = await address(url, { purpose: PREVIEW, isWantedSoon: true })
    await harness.work()
    expect(times('/preview.png')).toBe(1)
    const { width, height, format } = await sharp(await bytesAt(here)).metadata()
    expect({ width, height, format }).toEqual({ width: 480, height: 480, format: 'png' })
    expect(times('/preview.png')).toBe(1)
    await address(url, { purpose: PREVIEW, isWantedSoon: true })
    await harness.work()
    expect(times('/preview.png')).toBe(1)
  })

  test('avatars are square, and stand still where they should; headers and emojis have their size', async () => {
    const url = origin.has('/moving.gif', await animation(40, 20, 3))
    const avatar = await address(url, { purpose: AVATAR })
    const [moving, still] = [await sharp(await bytesAt(avatar.url)).metadata(), await sharp(await bytesAt(avatar.staticUrl)).metadata()]
    expect([moving.format, moving.width, moving.pageHeight ?? moving.height, moving.pages]).toEqual(['gif', 400, 400, 3])
    expect([still.format, still.width, still.height]).toEqual(['png', 400, 400])
    expect(times('/moving.gif')).toBe(1)
    const header = await sharp(await bytesAt((await address(url, { purpose: HEADER })).staticUrl)).metadata()
    expect([header.format, header.width, header.height]).toEqual(['png', 40, 20])
    const large = origin.has('/emoji.png', picture)
    const emoji = await address(large, { purpose: EMOJI })
    expect((await sharp(await bytesAt(emoji.url)).metadata()).width).toBe(256)
    expect((await sharp(await bytesAt(emoji.staticUrl)).metadata()).width).toBe(256)
  })

  test('nothing of what bombs are is decoded', async () => {
    const url = origin.has('/bomb.png', claimedPng(100_000, 100_000))
    expect(await statusAt((await address(url, { purpose: PREVIEW })).url)).toBe(404)
    expect(results()['unreadable']).toBeGreaterThan(0)
  })

  test('a new address of a picture is a new picture', async () => {
    const [first, second] = [origin.has('/face1.png', picture), origin.has('/face2.png', await corners(10, 10).jpeg().toBuffer())]
    const [one, two] = [await address(first, { purpose: AVATAR }), await address(second, { purpose: AVATAR })]
    expect(one.url).not.toBe(two.url)
    expect((await sharp(await bytesAt(two.url)).metadata()).format).toBe('jpeg')
  })
})

describe.runIf(hasFilms)(filmTests('films'), () => {
  test('have a frame for their preview, and are passed on as they came', async () => {
    const bytes = await film('mp4', ...stripes(), '-pix_fmt', 'yuv420p')
    const url = origin.has('/film.mp4', bytes)
    const preview = await sharp(await bytesAt((await address(url, { purpose: PREVIEW })).url)).metadata()
    expect([preview.format, preview.width, preview.height]).toEqual(['jpeg', 64, 48])
    const answer = await harness.fetchFile((await address(url)).url)
    expect([answer.headers.get('content-type'), Number(answer.headers.get('content-length'))]).toEqual(['video/mp4', bytes.length])
  })
})

describe('servers that fail', () => {
  test('are not asked again for a file that they do not have, until some time has passed', async () => {
    const url = `http://missing.far.example:${origin.port}/missing.png`
    const { url: here } = await address(url)
    expect([await statusAt(here), await statusAt(here)]).toEqual([404, 404])
    expect(times('/missing.png')).toBe(1)
    harness.clock.time += 11 * 60_000
    origin.has('/missing.png', picture)
    expect(await statusAt(here)).toBe(200)
  })

  test('rest after three failures, and are asked again later', async () => {
    const host = 'failing.far.example'
    const failing = (name: string) => origin.answers(`/${name}`, (_request, response) => void response.writeHead(503).end('no'), host)
    const files = await Promise.all(['f1', 'f2', 'f3', 'f4'].map(async (name) => (await address(failing(name))).url))
    for (const file of files.slice(0, 3)) expect(await statusAt(file)).toBe(404)
    expect(await statusAt(files[3]!)).toBe(503)
    expect(times('/f4')).toBe(0)
    harness.clock.time += 61_000
    origin.has('/f4', picture, 'image/png', host)
    expect(await statusAt(files[3]!)).toBe(200)
  })

  test('may send so much within an hour and no more', async () => {
    const bytes = await corners(64, 64).png().toBuffer()
    const bounded = await openHarness({
      mayConnect: ({ port }) => port === origin.port,
      remote: { bytesPerHour: bytes.length },
    })
    try {
      const [first, second] = [origin.has('/hour1.png', bytes), origin.has('/hour2.png', bytes)]
      const [one, two] = [await address(first, {}, bounded), await address(second, {}, bounded)]
      expect((await bounded.fetchFile(one.url)).status).toBe(200)
      expect((await bounded.fetchFile(two.url)).status).toBe(503)
      bounded.clock.time += 3_600_000
      expect((await bounded.fetchFile(two.url)).status).toBe(200)
    } finally {
      await bounded.close()
    }
  })

  test('may send no more either where nothing of it can be kept', async () => {
    const allowance = 100_000
    const bounded = await openHarness({ mayConnect: ({ port }) => port === origin.port, remote: { bytesPerHour: allowance } })
    try {
      const endless = origin.answers('/endless.png', (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'image/png' })
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(10_000)));
        }
        response.on('drain', more)
        more()
      })
      const cut = origin.answers('/cut.png', (_request, response) => {
        response.writeHead(200, { 'Content-Length': 90_000 }).write(Buffer.alloc(50_000), () => setImmediate(() => response.destroy()))
      })
      const small = origin.has('/small.png', await corners(64, 64).png().toBuffer())
      const [first, second, third] = [
        await address(cut, {}, bounded),
        await address(endless, {}, bounded),
        await address(small, {}, bounded),
      ]
      expect((await bounded.fetchFile(first.url)).status).toBe(404)
      expect((await bounded.fetchFile(second.url)).status).toBe(404)
      expect((await bounded.fetchFile(third.url)).status).toBe(503)
    } finally {
      await bounded.close()
    }
  })

  test('are asked for four files at once at most', async () => {
    const gates: (() => void)[] = []
    let open = 0
    const urls = Array.from({ length: 8 }, (_, index) =>
      origin.answers(
        `/slow${index}`,
        (_request, response) => {
          open++
          gates.push(() => void response.writeHead(200).end(picture))
          if (gates.length === 4) setImmediate(() => gates.splice(0).forEach((pass) => void pass()))
        },
        'slow.far.example',
      ),
    )
    const files = await Promise.all(urls.map(async (url) => (await address(url)).url))
    expect(await Promise.all(files.map(statusAt))).toEqual(Array(8).fill(200))
    expect(open).toBe(8)
  })

  test('that are at private addresses are never reached: a canary on this machine hears nothing', async () => {
    const strict = await openHarness({})
    try {
      const asked = origin.asked.length
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
        const { url: here } = await address(`http://${host}:${origin.port}/canary-${host.length}.png`, {}, strict)
        expect((await strict.fetchFile(here)).status).toBe(404)
      }
      expect(origin.asked.length).toBe(asked)
      expect(results(strict)['refused']).toBe(5)
    } finally {
      await strict.close()
    }
  })

  test('cannot lead there by a redirect', async () => {
    const url = origin.answers('/away', (_request, response) => void response.writeHead(302, { Location: 'http://169.254.169.254/' }).end())
    expect(await statusAt((await address(url)).url)).toBe(404)
  })
})

describe('what staff rejects', () => {
  test('is removed, is not fetched and has no file, until they take that back', async () => {
    const domain = 'bad.example'
    const url = origin.has('/bad.png', picture, 'image/png', 'files.bad.example')
    const [{ url: here }, { url: below }] = [await address(url, { domain }), await address(`${url}?b`, { domain: `sub.${domain}` })]
    expect(await statusAt(here)).toBe(200)
    const [row] = await harness.database.db.selectFrom('remoteFile').select('originalKey').where('domain', '=', domain).execute()
    await limited(domain, { rejectsMedia: true })
    expect([await statusAt(here), await statusAt(below)]).toEqual([404, 404])
    await harness.work()
    expect(await harness.files()).not.toContain(row!.originalKey)
    expect(await harness.database.db.selectFrom('remoteFile').select('digest').where('domain', '=', domain).execute()).toEqual([])
    expect(times('/bad.png')).toBe(1)
    await limited(domain, {})
    expect(await statusAt(here)).toBe(200)
  })

  test('is all of a suspended domain but what is allowed below it, and nothing of a silenced one', async () => {
    origin.has('/worse.png', picture)
    const place = (domain: string) => address(`http://${domain}:${origin.port}/worse.png`, { domain })
    const [worse, better, silenced] = [await place('worse.example'), await place('better.worse.example'), await place('quiet.example')]
    await limited('worse.example', { isSuspended: true })
    await limited('better.worse.example', { isSilenced: true })
    await limited('quiet.example', { isSilenced: true })
    await harness.work()
    expect([await statusAt(worse.url), await statusAt(better.url), await statusAt(silenced.url)]).toEqual([404, 200, 200])
  })

  test('is every file on a rejected host, whoever shows it', async () => {
    const url = origin.has('/elsewhere.png', picture, 'image/png', 'cdn.rejected.example')
    await limited('rejected.example', { rejectsMedia: true })
    expect(await statusAt((await address(url)).url)).toBe(404)
    expect(times('/elsewhere.png')).toBe(0)
  })

  test.each([
    ['rejected.host.example', { rejectsMedia: true }],
    ['suspended.host.example', { isSuspended: true }],
  ])('is every file that a redirect leads to on %s, which is not asked', async (domain, changes) => {
    const path = `/moved-to-${domain}.png`
    const target = origin.has(path, picture, 'image/png', `cdn.${domain}`)
    const hop = origin.answers(`/hop-${domain}`, (_request, response) => void response.writeHead(302, { Location: target }).end())
    const url = origin.answers(`/from-${domain}.png`, (_request, response) => void response.writeHead(302, { Location: hop }).end())
    await limited(domain, changes)
    const { url: here } = await address(url)
    expect([await statusAt(here), await statusAt(here)]).toEqual([404, 404])
    expect([times(`/from-${domain}.png`), times(path)]).toEqual([1, 0])
    await limited(domain, {})
    harness.clock.time += DAY
    expect(await statusAt(here)).toBe(200)
  })
})

describe('what is kept', () => {
  test('goes when no one asked for it for a month, and is fetched again when someone does', async () => {
    const url = origin.has('/old.png', picture)
    const { url: here } = await address(url)
    expect(await statusAt(here)).toBe(200)
    const prune = () => harness.media.jobs.find(({ name }) => name === 'prune-remote-files')!.run({})
    harness.clock.time += 20 * DAY
    expect(await statusAt(here)).toBe(200)
    harness.clock.time += 20 * DAY
    await prune()
    expect([await statusAt(here), times('/old.png')]).toEqual([200, 1])
    harness.clock.time += 31 * DAY
    await prune()
    await harness.work()
    expect(await harness.database.db.selectFrom('remoteFile').select('digest').execute()).toEqual([])
    expect(await harness.files()).toEqual([])
    expect([await statusAt(here), times('/old.png')]).toEqual([200, 2])
  })

  test('is counted, and pruned by name', async () => {
    const bytes = await corners(16, 16).png().toBuffer()
    const url = origin.has('/counted.png', bytes, 'image/png', 'counted.example')
    const { url: here } = await address(url, { domain: 'counted.example' })
    await bytesAt(here)
    const { domains } = await harness.operator.readUsage(call(), {})
    expect(domains).toContainEqual({ domain: 'counted.example', files: 1, bytes: bytes.length })
    expect(await harness.operator.pruneRemote(call(), { days: 0, domain: 'counted.example' })).toEqual({ removed: 1, bytes: bytes.length })
    expect(await harness.operator.pruneRemote(call(), { days: 0, domain: 'counted.example' })).toEqual({ removed: 0, bytes: 0 })
  })

  test('is named by its record: comparing finds nothing amiss, and what the storage lost is fetched again', async () => {
    const url = origin.has('/lost.gif', await animation(20, 20, 2))
    const { url: here } = await address(url, { purpose: AVATAR })
    expect(await statusAt(here)).toBe(200)
    await harness.work()
    const compared = await harness.operator.compare(call(), { afterKey: '', remove: false })
    expect([compared.unknownKeys, compared.missing]).toEqual([[], []])
    const keys = await harness.files()
    await Promise.all(keys.map((key) => harness.storage.remove(key)))
    expect([await statusAt(here), times('/lost.gif')]).toEqual([200, 2])
  })
})
