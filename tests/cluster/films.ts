import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { AAC, film, H264, stripes, tone } from '../../services/media/tests/films.ts'
import { fetchFile } from './journey.ts'
import type { Reach } from './reach.ts'

/** In milliseconds: a killed pod's film is taken up again when its claim has run out. */
const PROCESSED = { timeout: 300_000, interval: 500 }

/** A clip that is passed through, and one that takes longer to encode again than a pod to be killed. */
const CLIPS = {
  passed: () => film('mp4', ...stripes({ size: '320x240' }), ...tone(), ...H264, ...AAC),
  encoded: () =>
    film('mkv', ...stripes({ size: '640x480', rate: 25, seconds: 90 }), ...tone({ seconds: 90 }), ...H264.slice(0, -1), 'yuv444p', ...AAC),
}

/** Uploads two clips that are passed through and two that are encoded again; resolves to their ids while they wait or are processed. */
export const uploadFilms = async (author: Person): Promise<string[]> => {
  const kinds = ['encoded', 'passed', 'encoded', 'passed'] as const
  const bytes = { encoded: await CLIPS.encoded(), passed: await CLIPS.passed() }
  const ids: string[] = []
  for (const [index, kind] of kinds.entries()) {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes[kind])], `clip-${index}`))
    const { status, body } = await author.post('/api/v2/media', form)
    expect({ status, url: body.url }).toEqual({ status: 202, url: null })
    ids.push(body.id)
  }
  return ids
}

/** Expects films to be done in the end, and each to be played from any place once it is posted. */
export const expectFilmsPlayed = async (reach: Reach, author: Person, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await expect.poll(() => author.get(`/api/v1/media/${id}`).then(({ status }) => status), PROCESSED).toBe(200)
    const [attachment] = (await author.says('a clip', { media_ids: [id] })).media_attachments
    expect(attachment).toMatchObject({ id, type: 'video' })
    const whole = Buffer.from(await (await fetchFile(reach, attachment.url)).arrayBuffer())
    const end = await fetchFile(reach, attachment.url, { range: `bytes=${whole.length - 100}-` })
    expect([end.status, end.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect(Buffer.from(await end.arrayBuffer())).toEqual(whole.subarray(-100))
  }
}
