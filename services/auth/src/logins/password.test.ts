import { argon2Sync } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashPassword, isPassword, isUnusedPassword, locked, makePassword, unlocked } from './password.ts'

it('knows its own password and no other', async () => {
  const stored = await hashPassword('pässword')
  expect(await isPassword('pässword', stored)).toBe(true)
  expect(await isPassword('password', stored)).toBe(false)
  expect(await isUnusedPassword('pässword')).toBe(false)
})

it('takes a letter for itself however it was composed', async () => {
  expect(await isPassword('pa\u0308ssword', await hashPassword('p\u00e4ssword'))).toBe(true)
})

it('salts: the same password twice is two strings', async () => {
  expect(await hashPassword('tea is ready')).not.toBe(await hashPassword('tea is ready'))
})

it('reads strings of other cost, as other programs write them', async () => {
  // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -e
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await isPassword('password', stored)).toBe(true)
  expect(await isPassword('passwort', stored)).toBe(false)
})

it('makes passwords that differ', () => {
  expect(new Set(Array.from({ length: 100 }, makePassword)).size).toBe(100)
})

it('locks a password so that a version without second factors finds it wrong, and this one right', async () => {
  const stored = await hashPassword('tea is ready')
  const kept = locked(stored)
  expect([locked(kept), unlocked(kept), unlocked(stored)]).toEqual([kept, stored, stored])
  expect([await isPassword('tea is ready', kept), await isPassword('tea', kept)]).toEqual([true, false])
  // As versions before second factors compare: by all stored bytes.
  const [, memory, passes, parallelism, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(kept) ?? []
  const bytes = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const computed = argon2Sync('argon2id', { message: 'tea is ready', nonce: Buffer.from(salt, 'base64'), tagLength: bytes.length, ...cost })
  expect(computed.equals(bytes)).toBe(false)
})
