import type { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { textFrame } from './frames.ts'

// The types of ws lack its frame parser.
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable }

// Each encoding of a length, at its limits (RFC 6455, 5.2).
test.each([0, 1, 125, 126, 65_535, 65_536, 70_000])('a text of %i bytes is one frame that is read as it was', (length) => {
  const text = 'é'.repeat(Math.floor(length / 2)).padEnd(length - Math.floor(length / 2), 'x')
  const heard: string[] = []
  const receiver = new Receiver({ isServer: false })
  receiver.on('message', (data: Buffer, isBinary: boolean) => heard.push(`${isBinary} ${data}`))
  receiver.write(textFrame(text))
  expect(Buffer.byteLength(text)).toBe(length)
  expect(heard).toEqual([`false ${text}`])
})
