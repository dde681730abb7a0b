import { expect, it } from 'vitest'
import { hashPassword, isPassword, isUnusedPassword, makePassword } from './password.ts'

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
