import type { AttachmentsDefinition } from '@rookery/contracts/media'
import { unavailable } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import { expect, test } from 'vitest'
import { acceptedTypes } from './accepted-types.ts'

const call = { deadline: Number.POSITIVE_INFINITY, signal: new AbortController().signal, trace: '' }

test('media is asked once a minute; while it is away its last answer counts, and before the first one pictures', async () => {
  let answer: string[] | undefined
  let asked = 0
  const clock = { time: 0, now: () => clock.time }
  const readAccepted = async () => {
    asked++
    if (!answer) throw unavailable()
    return { contentTypes: answer, maxBytes: 1 }
  }
  const accepted = acceptedTypes({ attachments: { readAccepted } as unknown as Client<typeof AttachmentsDefinition>, clock })
  expect(await accepted(call)).toEqual(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'])
  answer = ['image/png', 'video/mp4']
  expect(await accepted(call)).toEqual(answer)
  clock.time = 59_999
  expect([await accepted(call), asked]).toEqual([answer, 2])
  clock.time = 60_000
  const before = answer
  answer = undefined
  expect([await accepted(call), asked]).toEqual([before, 3])
})
