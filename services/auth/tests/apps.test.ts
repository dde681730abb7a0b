import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

const ELK = { name: 'Elk', redirectUris: ['elk://x', 'https://elk.example/%2F'], scopes: 'read write', website: 'https://elk.example' }

it('registers an app and tells its secret once', async () => {
  const made = await harness.apps.register(call(), ELK)
  expect(made).toMatchObject({
    ...ELK,
    scopes: ['read', 'write'],
    clientId: expect.stringMatching(/^[\w-]{43}$/),
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await harness.apps.read(call(), { id: made.id })).toEqual({ ...made, clientId: '', clientSecret: '' })
})

it('numbers apps in the order they come, far below what a number of JSON can hold', async () => {
  const [one, next] = [await harness.apps.register(call(), ELK), await harness.apps.register(call(), ELK)]
  expect(next.number).toBe(one.number + 1)
  expect(one.number).toBeLessThan(1000)
})

it('names everything that is wrong', async () => {
  await expect(harness.apps.register(call(), { ...ELK, name: '', redirectUris: ['x', 'y'], scopes: 'zzz' })).rejects.toMatchObject({
    kind: 'invalid',
    message:
      "Validation failed: Name can't be blank, Redirect URI must be an absolute URI., Scopes doesn't match configured on the server.",
  })
})

it('knows no app of another id', async () => {
  for (const id of ['', 'x', '1', '9'.repeat(30)])
    await expect(harness.apps.read(call(), { id })).rejects.toMatchObject({ kind: 'not_found' })
})
