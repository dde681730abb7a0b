import { expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

it.each([
  ['http://localhost:3000', true],
  ['http://127.8.0.1', true],
  ['http://[::1]:3000', true],
  ['http://[::ffff:127.0.0.1]:3000', true],
  ['http://rookery.localhost', true],
  ['http://192.168.1.4:3000', false],
  ['https://localhost.example', false],
])('%s is for this machine only: %s', (url, expected) => expect(isLoopback(url)).toBe(expected))
