import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BadInputHarness, json, openBadInput, PROFILE } from './bad-input.ts'

// Texts designed to be slow: half a million characters each.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

describe('a text that takes its time', () => {
  const LENGTH = 500_000
  const texts: Record<string, string> = {
    mentions: '@a'.repeat(LENGTH / 2),
    'mentions with domains': '@a@a.b '.repeat(LENGTH / 7),
    'mentions one after the other': '@a@a@a'.repeat(LENGTH / 6),
    tags: '#a '.repeat(LENGTH / 3),
    signs: '#'.repeat(LENGTH),
    addresses: 'http://a.b '.repeat(LENGTH / 11),
    'brackets in an address': `http://a.b/${'('.repeat(LENGTH)}`,
    dots: `http://${'a.'.repeat(LENGTH / 2)}`,
    families: '👨‍👩‍👧‍👦'.repeat(LENGTH / 25),
    marks: `e${'\u0301'.repeat(LENGTH)}`,
    'line feeds': `x${'\n'.repeat(LENGTH)}x`,
    spaces: `x${' '.repeat(LENGTH)}x`,
  }

  test.each(Object.entries(texts))('is refused as a status: %s', async (_name, text) => {
    await harness.refused({ ...json({ status: text }) }, 422, 'Validation failed: Text character limit of 500 exceeded')
    await harness.refused({ ...json({ status: 'x', spoiler_text: text }) }, 422, 'Validation failed: Text character limit of 500 exceeded')
  })

  test.each(Object.entries(texts))('is refused in a profile: %s', async (_name, text) => {
    await harness.refused(json({ note: text }, PROFILE, 'PATCH'), 422, /^Validation failed: Note/)
    await harness.refused(json({ display_name: text }, PROFILE, 'PATCH'), 422, /^Validation failed: Display name/)
    await harness.refused(json({ fields_attributes: [{ name: 'x', value: text }] }, PROFILE, 'PATCH'), 422, /^Validation failed: Fields/)
  })

  test.each(Object.entries(texts))('is refused anywhere else: %s', async (_name, text) => {
    await harness.refused(json({ status: 'x', media_ids: [text] }), 422, /^Media .{1,60} not found/s)
    await harness.refused(json({ client_name: text, redirect_uris: 'x://y' }, '/api/v1/apps'), 422, /./)
    await harness.refused(json({ client_name: 'x', redirect_uris: `tea ${text}` }, '/api/v1/apps'), 422, /./)
    await harness.refused(json({ client_name: 'x', redirect_uris: 'x://y', scopes: text }, '/api/v1/apps'), 422, /./)
  })
})
