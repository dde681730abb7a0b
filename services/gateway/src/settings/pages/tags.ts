import { html, settingsName } from '@rookery/pages'
import { api } from '../../admin/api.ts'
import type { SignedInPage } from '../../admin/page.ts'
import { actPart, filtered, formPart, pagerPart, recordsPart } from '../../admin/parts.ts'
import { ask } from '../../admin/visit.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

const readFollowedTags = api('GET /api/v1/followed_tags')

type Tag = { name: string; url: string }

/** GET /settings/tags: followed hashtags. */
export const tagsPage: SignedInPage = {
  path: '/settings/tags',
  section: 'tags',
  access: readFollowedTags.access,
  async read(visit) {
    const { tags: texts } = SETTINGS_TEXTS[visit.language]
    const { body, page } = await ask(visit, readFollowedTags, filtered(visit, []))
    const records = (body as Tag[]).map(({ name, url }) => ({
      title: `#${name}`,
      href: url,
      acts: [actPart(visit, { form: 'unfollow', label: texts.unfollow, values: { name } })],
    }))
    return {
      title: settingsName(visit.language, 'tags'),
      lead: texts.lead,
      body: html`${recordsPart(records, texts.none)}${pagerPart(visit, page)}
<h2>${texts.add}</h2>
${formPart(visit, { form: 'follow', fields: [{ name: 'name', label: texts.name }], buttons: [{ label: texts.follow }] })}`,
    }
  },
  forms: {
    follow: {
      endpoint: api('POST /api/v1/tags/:name/follow'),
      done: 'added',
      names: 'name',
      values: ({ name }) => ({
        name: String(name ?? '')
          .trim()
          .replace(/^#/, ''),
      }),
    },
    unfollow: { endpoint: api('POST /api/v1/tags/:name/unfollow'), done: 'removed' },
  },
}
