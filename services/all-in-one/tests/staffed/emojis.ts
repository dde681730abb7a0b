import { PERMISSIONS } from '@rookery/contracts/permissions'
import { StaffEmojisDefinition } from '@rookery/contracts/statuses'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Area, Asked, Json, Maker, Stage } from './stage.ts'
import { called, judging, request } from './stage.ts'

// Custom emojis, and what was written with them.

/** A picture of one pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

type Emoji = { shortcode: string; category: string; isVisible: boolean; isDisabled: boolean }

export class Emojis {
  readonly all = new Map<string, Emoji>()
  /** The shortcodes of statuses and notes, as they were written. */
  readonly statuses = new Map<string, string[]>()
  readonly notes = new Map<string, string[]>()

  /** Those of these shortcodes that may be used now. */
  usable(shortcodes: readonly string[]): string[] {
    return shortcodes.filter((shortcode) => this.all.get(shortcode)?.isDisabled === false)
  }
}

export const SHORTCODES = ['blob', 'cat', 'ant', 'bee']

const managing = (stage: Stage, emojis: Emojis) => {
  const { world, random, staff } = stage
  const { may } = judging(stage)
  const client = innerClient(world, StaffEmojisDefinition)
  const act = (name: string, shortcode: string, run: (staffId: string) => Promise<unknown>, more: { wanted: number; done: () => void }) => {
    const by = random.of(staff)
    if (!may(by, PERMISSIONS.manageCustomEmojis)) return undefined
    const keys = { keys: [], fixed: ['emojis', `account ${by.id}`] }
    return { what: `${by.username} ${name} emoji ${shortcode}`, send: () => called(() => run(by.id)), ...keys, ...more }
  }
  const add: Maker = () => {
    const [shortcode, category] = [random.of(SHORTCODES), random.of(['', 'animals', 'blobs'])]
    const run = (staffId: string) => client.import(innerCall(), { shortcode, category, picture: PICTURE, staffId })
    const done = () => {
      const before = emojis.all.get(shortcode)
      emojis.all.set(shortcode, { isVisible: true, isDisabled: false, ...before, shortcode, category })
    }
    return act(`add in ${category}`, shortcode, run, { wanted: 200, done })
  }
  const change: Maker = () => {
    const [shortcode, category, visibleInPicker] = [random.of(SHORTCODES), random.of(['', 'animals']), random.chance(0.5)]
    const emoji = emojis.all.get(shortcode)
    const run = (staffId: string) => client.change(innerCall(), { shortcode, category, visibleInPicker, staffId })
    return act('change', shortcode, run, {
      wanted: emoji ? 200 : 404,
      done: () => emoji && Object.assign(emoji, { category, isVisible: visibleInPicker }),
    })
  }
  const disable: Maker = () => {
    const [shortcode, isDisabled] = [random.of(SHORTCODES), random.chance(0.5)]
    const emoji = emojis.all.get(shortcode)
    const run = (staffId: string) => client.setDisabled(innerCall(), { shortcode, isDisabled, staffId })
    return act(`disable ${isDisabled}`, shortcode, run, {
      wanted: emoji ? 200 : 404,
      done: () => emoji && Object.assign(emoji, { isDisabled }),
    })
  }
  const copy: Maker = () => {
    const [shortcode, newShortcode] = [random.of(SHORTCODES), random.of(SHORTCODES)]
    const [emoji, other] = [emojis.all.get(shortcode), emojis.all.get(newShortcode)]
    const run = (staffId: string) => client.copy(innerCall(), { shortcode, newShortcode, staffId })
    return act(`copy to ${newShortcode}`, shortcode, run, {
      wanted: emoji ? (other ? 422 : 200) : 404,
      done: () => emojis.all.set(newShortcode, { ...emoji!, shortcode: newShortcode, isVisible: true, isDisabled: false }),
    })
  }
  const remove: Maker = () => {
    const shortcode = random.of(SHORTCODES)
    return act('remove', shortcode, (staffId) => client.remove(innerCall(), { shortcode, staffId }), {
      wanted: emojis.all.has(shortcode) ? 200 : 404,
      done: () => emojis.all.delete(shortcode),
    })
  }
  return { add, change, disable, copy, remove }
}

const writing = (stage: Stage, emojis: Emojis) => {
  const { random, people } = stage
  const { isIn, maySpeak } = judging(stage)
  const text = () => SHORTCODES.filter(() => random.chance(0.5))
  const say: Maker = () => {
    const [by, codes] = [random.of(people), text()]
    return {
      ...request(by, 'POST', '/api/v1/statuses', { status: `so ${codes.map((code) => `:${code}:`).join(' ')}`, visibility: 'unlisted' }),
      wanted: maySpeak(by) ? 200 : 403,
      ...{ keys: [], fixed: ['emojis', `account ${by.id}`] },
      done: ({ id }) => emojis.statuses.set(id, emojis.usable(codes)),
    }
  }
  const note: Maker = () => {
    const [by, codes] = [random.of(people), text()]
    return {
      ...request(by, 'PATCH', '/api/v1/accounts/update_credentials', { note: `I ${codes.map((code) => `:${code}:`).join(' ')}` }),
      wanted: isIn(by) ? 200 : 403,
      ...{ keys: [], fixed: ['emojis', `account ${by.id}`] },
      done: () => emojis.notes.set(by.id, emojis.usable(codes)),
    }
  }
  return { say, note }
}

const codesOf = (emojis: Json[]) => emojis.map(({ shortcode }) => shortcode).toSorted()

const compareWritten = async ({ viewer, compare }: Asked, { accounts }: Stage, emojis: Emojis) => {
  const { body: found } = await viewer.get(
    `/api/v1/statuses?${[...emojis.statuses.keys()]
      .slice(-20)
      .map((id) => `id[]=${id}`)
      .join('&')}`,
  )
  for (const { id, emojis: is, content } of found) compare(`emojis of ${content}`, codesOf(is), emojis.statuses.get(id)!.toSorted())
  for (const [id, codes] of emojis.notes) {
    const { isSuspended, username } = accounts.get(id)!
    compare(`emojis of ${username}`, codesOf((await viewer.get(`/api/v1/accounts/${id}`)).body.emojis), isSuspended ? [] : codes.toSorted())
  }
}

export const emojisArea = (stage: Stage, emojis: Emojis): Area => {
  const [manage, write] = [managing(stage, emojis), writing(stage, emojis)]
  return {
    makers: [
      [4, manage.add],
      [1, manage.change],
      [2, manage.disable],
      [1, manage.copy],
      [2, manage.remove],
      [4, write.say],
      [3, write.note],
    ],
    compare: async (asked) => {
      const { viewer, compare } = asked
      if (viewer.id && !judging(stage).isIn(viewer)) return
      const { body } = await viewer.get('/api/v1/custom_emojis')
      const wanted = [...emojis.all.values()].filter(({ isVisible, isDisabled }) => isVisible && !isDisabled)
      const sorted = wanted.toSorted((one, other) =>
        `${one.category || '~'} ${one.shortcode}` < `${other.category || '~'} ${other.shortcode}` ? -1 : 1,
      )
      compare(
        'custom emojis',
        body.map(({ shortcode, category }: Json) => [shortcode, category ?? '']),
        sorted.map(({ shortcode, category }) => [shortcode, category]),
      )
      await compareWritten(asked, stage, emojis)
    },
  }
}
