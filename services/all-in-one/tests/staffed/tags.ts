import { PERMISSIONS } from '@rookery/contracts/permissions'
import type { Area, Json, Maker, Stage } from './stage.ts'
import { compareFields, judging, request } from './stage.ts'

// What staff decide about hashtags (beyond-the-spec 2.6).

const NAMES = ['mossy', 'mossball', 'mosses']

type Tag = { name: string; id: string; usable: boolean; listable: boolean; trendable: boolean }

/** Uses the tags, so that staff find them. */
export const openTags = async ({ owner, world }: Stage): Promise<Map<string, Tag>> => {
  await owner.says(NAMES.map((name) => `#${name}`).join(' '))
  await world.idle()
  const { body } = await owner.get('/api/v1/admin/tags?limit=40')
  const own = body.filter(({ name }: Json) => NAMES.includes(name))
  return new Map(own.map(({ name, id }: Json) => [name, { name, id, usable: true, listable: true, trendable: true }]))
}

export const tagsArea = (stage: Stage, tags: ReadonlyMap<string, Tag>): Area => {
  const { random, staff, people } = stage
  const { may, isIn, maySpeak } = judging(stage)
  const said = new Map<string, string[]>()
  const by = () => random.of(random.chance(0.1) ? people : staff)
  const change: Maker = () => {
    const [one, tag] = [by(), tags.get(random.of(NAMES))!]
    const form = Object.fromEntries(
      ['usable', 'listable', 'trendable'].filter(() => random.chance(0.5)).map((key) => [key, random.chance(0.5)]),
    )
    return {
      ...request(one, 'PUT', `/api/v1/admin/tags/${tag.id}`, form),
      wanted: may(one, PERMISSIONS.manageTaxonomies) ? 200 : 403,
      ...{ keys: [], fixed: [`account ${one.id}`, 'tags'] },
      done: () => Object.assign(tag, form),
    }
  }
  const review: Maker = () => {
    const [one, tag, verb] = [by(), tags.get(random.of(NAMES))!, random.of(['approve', 'reject'])]
    return {
      ...request(one, 'POST', `/api/v1/admin/trends/tags/${tag.id}/${verb}`),
      wanted: may(one, PERMISSIONS.manageTaxonomies) ? 200 : 403,
      ...{ keys: [], fixed: [`account ${one.id}`, 'tags'] },
      done: () => Object.assign(tag, { trendable: verb === 'approve' }),
    }
  }
  const say: Maker = () => {
    const [one, names] = [random.of(people), NAMES.filter(() => random.chance(0.5))]
    return {
      ...request(one, 'POST', '/api/v1/statuses', { status: `on ${names.map((name) => `#${name}`).join(' ')}`, visibility: 'unlisted' }),
      wanted: maySpeak(one) ? 200 : 403,
      ...{ keys: [], fixed: [`account ${one.id}`, 'tags'] },
      done: ({ id }) =>
        said.set(
          id,
          names.filter((name) => tags.get(name)!.usable),
        ),
    }
  }
  return {
    makers: [
      [3, change],
      [2, review],
      [3, say],
    ],
    compare: async ({ viewer, compare }) => {
      if (viewer.id && !isIn(viewer)) return
      if (viewer.id && may(viewer, PERMISSIONS.manageTaxonomies))
        for (const { name, id, ...decided } of tags.values()) {
          const { body } = await viewer.get(`/api/v1/admin/tags/${id}`)
          compareFields({ compare }, `tag ${name}`, body, { ...decided, name })
        }
      const { body: found } = await viewer.get(
        `/api/v1/statuses?${[...said.keys()]
          .slice(-20)
          .map((id) => `id[]=${id}`)
          .join('&')}`,
      )
      for (const { id, tags: is } of found) compare(`tags of ${id}`, is.map(({ name }: Json) => name).toSorted(), said.get(id)!.toSorted())
      const { body } = await viewer.get('/api/v2/search?q=moss&type=hashtags')
      const listable = [...tags.values()].filter((tag) => tag.listable).map(({ name }) => name)
      compare('found tags', body.hashtags.map(({ name }: Json) => name).toSorted(), listable.toSorted())
    },
  }
}
