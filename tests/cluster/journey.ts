import { randomBytes } from 'node:crypto'
import { ask, Browser, Person } from '@rookery/test-world'
import { expect } from 'vitest'
import type { Reach } from './reach.ts'

const SCOPES = 'read write follow push'
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const pictureForm = (description: string): FormData => {
  const form = new FormData()
  form.set('file', new File([PIXEL], 'pixel.png', { type: 'image/png' }))
  form.set('description', description)
  return form
}

/** Someone signs up on the server's pages, lets an app in there, and gives the app the code that is shown. */
export const signUp = async ({ origin, base }: Reach, name: string): Promise<Person> => {
  const username = `${name}_${randomBytes(4).toString('hex')}`
  const typed = { username, email: `${username}@example.org`, password: `${username}-password` }
  const browser = new Browser({ base, server: origin })
  const welcome = await browser.submit(await browser.visit('/auth/sign_up'), { ...typed, agreement: 'true' })
  expect(welcome).toMatchObject({ status: 200 })

  const app = await ask(origin, 'POST', '/api/v1/apps', { body: { client_name: 'Journey', redirect_uris: OUT_OF_BAND, scopes: SCOPES } })
  const { client_id, client_secret } = app.body
  const question = { response_type: 'code', client_id, redirect_uri: OUT_OF_BAND, scope: SCOPES }
  const page = await browser.visit(`/oauth/authorize?${new URLSearchParams(question)}`)
  const approval = page.text.includes('name="password"') ? await browser.submit(page, typed) : page
  const shown = await browser.submit(approval, { answer: 'allow' })
  const code = /<input id="code" type="text" value="([^"]+)"/.exec(shown.text)?.[1]
  const exchange = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: OUT_OF_BAND, code, scope: SCOPES }
  const token = await ask(origin, 'POST', '/oauth/token', { body: exchange })
  expect({ status: token.status, text: token.text }).toMatchObject({ status: 200 })
  const own = await ask(origin, 'GET', '/api/v1/accounts/verify_credentials', { token: token.body.access_token })
  return new Person({ id: own.body.id, username, token: token.body.access_token, origin })
}

/** A file of the server, fetched from where its address says, through the front. */
export const fetchFile = (reach: Reach, address: string, headers: Record<string, string> = {}): Promise<Response> => {
  expect(address.startsWith(`${reach.base}/media/`)).toBe(true)
  return fetch(address.replace(reach.base, reach.origin), { headers })
}

/** Uploads a picture and returns it once it is processed. */
export const upload = async (person: Person, description: string) => {
  const taken = await person.post('/api/v2/media', pictureForm(description))
  expect([200, 202]).toContain(taken.status)
  await expect.poll(() => person.get(`/api/v1/media/${taken.body.id}`).then(({ status }) => status)).toBe(200)
  return (await person.get(`/api/v1/media/${taken.body.id}`)).body as { id: string; url: string }
}

/** What two people do in their first minutes: everything the public reaches, by the routes of the chart. */
export const journey = async (reach: Reach): Promise<void> => {
  const [wren, robin] = [await signUp(reach, 'wren'), await signUp(reach, 'robin')]
  await robin.follows(wren)
  const stream = await robin.listens('user')
  const picture = await upload(wren, 'a nest')
  const said = await wren.says(`@${robin.username} look at this`, { media_ids: [picture.id] })

  const frame = await stream.hears(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === said.id)
  expect(JSON.parse(frame.payload ?? '{}').content).toContain('look at this')
  await stream.hears(({ event, payload }) => event === 'notification' && JSON.parse(payload ?? '{}').status?.id === said.id)
  await stream.close()

  const [newest] = await robin.home()
  expect(newest).toMatchObject({ id: said.id, media_attachments: [{ id: picture.id, description: 'a nest' }] })
  const file = await fetchFile(reach, newest.media_attachments[0].url)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0)

  await robin.reacts('favourite', said)
  await expect.poll(() => wren.notifications().then((all) => all.map(({ type }) => type).toSorted())).toEqual(['favourite', 'follow'])
  expect((await robin.notifications()).map(({ type, status }) => [type, status.id])).toEqual([['mention', said.id]])
}
