import { PERMISSIONS } from '@rookery/contracts/permissions'
import { CreateAnnouncementRequest, Publication, StaffAnnouncementsDefinition } from '@rookery/contracts/statuses'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Emojis } from './emojis.ts'
import { SHORTCODES } from './emojis.ts'
import type { Area, Asked, Json, Maker, Stage } from './stage.ts'
import { called, compareFields, idsOf, judging, request } from './stage.ts'

// Announcements: when they are shown, who read them, and reactions to them.

type Announcement = {
  id: string
  text: string
  startsAt: number | undefined
  endsAt: number | undefined
  publishAt: number | undefined
  readers: Set<string>
  /** Who reacted, by emoji. */
  reactions: Map<string, Set<string>>
}

const isShown = ({ publishAt, endsAt }: Announcement, now: number) =>
  publishAt !== undefined && publishAt <= now && !(endsAt && endsAt <= now)

const UNICODE = ['🎉', '👍']
const HALF_HOUR = 1_800_000

const managing = (stage: Stage, all: Map<string, Announcement>) => {
  const { world, random, staff, now } = stage
  const { may } = judging(stage)
  const client = innerClient(world, StaffAnnouncementsDefinition)
  const one = () => (all.size > 0 ? random.of([...all.values()].slice(-4)) : undefined)
  const moment = () => random.of([undefined, undefined, now() + HALF_HOUR, now() + 40 * HALF_HOUR])
  const by = () => {
    const member = random.of(staff)
    return may(member, PERMISSIONS.manageAnnouncements) ? member : undefined
  }
  const create: Maker = () => {
    const member = by()
    const [text, startsAt, endsAt] = [random.of(['Tea at five', 'No tea']), moment(), moment()]
    const publication = random.of([Publication.UNSPECIFIED, Publication.AT_ONCE, Publication.LATER])
    if (!member) return undefined
    const form = { text, startsAtMilliseconds: startsAt, endsAtMilliseconds: endsAt, publication, staffId: member.id }
    return {
      what: `announce ${JSON.stringify(form)}`,
      send: () => called(() => client.create(innerCall(), CreateAnnouncementRequest.fromPartial(form))),
      wanted: startsAt && endsAt && endsAt <= startsAt ? 422 : 200,
      ...{ keys: [], fixed: [`account ${member.id}`] },
      done: ({ id }) => {
        const publishAt = publication === Publication.LATER ? undefined : publication === Publication.AT_ONCE ? 0 : (startsAt ?? 0)
        all.set(id, { id, text, startsAt, endsAt, publishAt, readers: new Set(), reactions: new Map() })
      },
    }
  }
  const act =
    (name: 'publish' | 'withdraw' | 'delete', wanted: (announcement: Announcement) => number, done: (of: Announcement) => void): Maker =>
    () => {
      const [member, announcement] = [by(), one()]
      if (!member || !announcement) return undefined
      const run = client[name] as (call: ReturnType<typeof innerCall>, request: object) => Promise<unknown>
      return {
        what: `${name} announcement ${announcement.id}`,
        send: () => called(() => run(innerCall(), { id: announcement.id, staffId: member.id })),
        wanted: wanted(announcement),
        ...{ keys: [], fixed: [`account ${member.id}`, `announcement ${announcement.id}`] },
        done: () => done(announcement),
      }
    }
  const change: Maker = () => {
    const [member, announcement, text, endsAt] = [by(), one(), random.of(['Tea at six', undefined]), moment()]
    if (!member || !announcement) return undefined
    const form = { id: announcement.id, text, endsAt: { atMilliseconds: endsAt }, staffId: member.id }
    return {
      what: `change announcement ${JSON.stringify(form)}`,
      send: () => called(() => client.change(innerCall(), form)),
      wanted: announcement.startsAt && endsAt && endsAt <= announcement.startsAt ? 422 : 200,
      ...{ keys: [], fixed: [`account ${member.id}`, `announcement ${announcement.id}`] },
      done: () => Object.assign(announcement, { endsAt, ...(text ? { text } : {}) }),
    }
  }
  const isOver = ({ endsAt }: Announcement) => endsAt !== undefined && endsAt <= now()
  return {
    create,
    change,
    publish: act(
      'publish',
      (of) => (isOver(of) ? 422 : 200),
      (of) => {
        if (!isShown(of, now())) of.publishAt = 0
      },
    ),
    withdraw: act(
      'withdraw',
      () => 200,
      (of) => {
        of.publishAt = undefined
      },
    ),
    remove: act(
      'delete',
      () => 200,
      (of) => all.delete(of.id),
    ),
  }
}

const reading = (stage: Stage, all: Map<string, Announcement>, emojis: Emojis) => {
  const { random, people, now } = stage
  const { isIn } = judging(stage)
  const draw = () => [random.of(people), all.size > 0 ? random.of([...all.values()].slice(-4)) : undefined] as const
  const dismiss: Maker = () => {
    const [by, announcement] = draw()
    return (
      announcement && {
        ...request(by, 'POST', `/api/v1/announcements/${announcement.id}/dismiss`),
        wanted: !isIn(by) ? 403 : isShown(announcement, now()) ? 200 : 404,
        ...{ keys: [], fixed: [`account ${by.id}`, `announcement ${announcement.id}`] },
        done: () => announcement.readers.add(by.id),
      }
    )
  }
  const react = (method: 'PUT' | 'DELETE'): Maker => {
    return () => {
      const [by, announcement] = draw()
      if (!announcement) return undefined
      const name = random.of([...UNICODE, ...SHORTCODES])
      const isKnown = UNICODE.includes(name) || emojis.usable([name]).length > 0
      const isThere = announcement.reactions.get(name)?.has(by.id) ?? false
      const wanted = method === 'PUT' ? (isKnown ? 200 : 422) : isThere ? 200 : isKnown ? 404 : 422
      return {
        ...request(by, method, `/api/v1/announcements/${announcement.id}/reactions/${encodeURIComponent(name)}`),
        wanted: !isIn(by) ? 403 : isShown(announcement, now()) ? wanted : 404,
        ...{ keys: [], fixed: [`account ${by.id}`, `announcement ${announcement.id}`, 'emojis'] },
        done: () => {
          const who = announcement.reactions.get(name) ?? new Set()
          if (method === 'PUT') who.add(by.id)
          else who.delete(by.id)
          if (who.size > 0) announcement.reactions.set(name, who)
          else announcement.reactions.delete(name)
        },
      }
    }
  }
  return { dismiss, react: react('PUT'), unreact: react('DELETE') }
}

const compareShown = async ({ viewer, compare }: Asked, all: Map<string, Announcement>, now: number) => {
  const shown = [...all.values()].filter((each) => isShown(each, now))
  for (const withDismissed of [false, true]) {
    const { body } = await viewer.get(`/api/v1/announcements?with_dismissed=${withDismissed}`)
    const wanted = shown.filter(({ readers }) => withDismissed || !readers.has(viewer.id))
    compare(`announcements, ${withDismissed}`, idsOf(body), idsOf(wanted))
    for (const is of body) {
      const announcement = all.get(is.id)
      if (!announcement) continue
      compareFields({ compare }, `announcement ${is.id}`, is, {
        read: announcement.readers.has(viewer.id),
        content: `<p>${announcement.text}</p>`,
        ends_at: announcement.endsAt === undefined ? null : new Date(announcement.endsAt).toISOString(),
      })
      compare(
        `reactions to ${is.id}`,
        is.reactions.map(({ name, count, me, url }: Json) => `${name} ${count} ${me} ${Boolean(url)}`).toSorted(),
        [...announcement.reactions]
          .map(([name, who]) => `${name} ${who.size} ${who.has(viewer.id)} ${SHORTCODES.includes(name)}`)
          .toSorted(),
      )
    }
  }
}

export const announcementsArea = (stage: Stage, emojis: Emojis): Area => {
  const all = new Map<string, Announcement>()
  const [manage, read] = [managing(stage, all), reading(stage, all, emojis)]
  return {
    makers: [
      [2, manage.create],
      [2, manage.change],
      [2, manage.publish],
      [1, manage.withdraw],
      [1, manage.remove],
      [3, read.dismiss],
      [6, read.react],
      [3, read.unreact],
    ],
    compare: async (asked) => {
      if (!asked.viewer.id || !judging(stage).isIn(asked.viewer)) return
      await compareShown(asked, all, stage.now())
    },
  }
}
