import type { InstanceCard, InstanceText, Rule, TermsVersion } from '@rookery/contracts/federation'
import { html } from '@rookery/pages'
import {
  changePicture,
  changeRule,
  changeTexts,
  createRule,
  deleteRule,
  deleteTerms,
  listRules,
  listTerms,
  MAX_PICTURE_BYTES,
  publishTerms,
  readAppearance,
  readTexts,
} from '../endpoints/settings.ts'
import type { Field } from '../fields.ts'
import type { AdminPage } from '../page.ts'
import { actPart, folded, formPart, recordsPart } from '../parts.ts'
import { read } from '../visit.ts'

/** The texts of the page, and their kinds of inputs. */
const TEXTS = {
  title: { kind: 'text' },
  short_description: { kind: 'area', rows: 3 },
  extended_description: { kind: 'area', rows: 12 },
  privacy_policy: { kind: 'area', rows: 12 },
  contact_email: { kind: 'email' },
  contact_account: { kind: 'text' },
} as const satisfies Record<string, Partial<Field>>

/** GET /admin/settings: the server's texts about itself. */
export const textsPage: AdminPage = {
  path: '/admin/settings',
  section: 'settings',
  tab: 'texts',
  isFirst: true,
  access: readTexts.access,
  async read(visit) {
    const { texts } = visit
    const values = new Map((await read<InstanceText[]>(visit, readTexts)).map((each) => [each.name, each]))
    const fields = (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map((name) => {
      const { label, hint } = texts.settings.texts[name]
      return { ...TEXTS[name], name, label, hint: hint || undefined, value: values.get(name)?.value ?? '' }
    })
    return {
      title: texts.sections.settings,
      lead: texts.settings.lead,
      body: formPart(visit, { form: 'change', fields, buttons: [{ label: texts.save }] }),
    }
  },
  forms: { change: { endpoint: changeTexts, done: 'changed' } },
}

const ruleFields = (texts: { text: string; hint: string }, rule?: Rule): Field[] => [
  { name: 'text', label: texts.text, value: rule?.text ?? '' },
  { name: 'hint', label: texts.hint, kind: 'area', value: rule?.hint ?? '' },
]

/** GET /admin/settings/rules: the rules of the server. */
export const rulesPage: AdminPage = {
  path: '/admin/settings/rules',
  section: 'settings',
  tab: 'rules',
  access: listRules.access,
  async read(visit) {
    const { texts } = visit
    const { rules } = texts
    const records = (await read<Rule[]>(visit, listRules)).map((rule) => ({
      title: rule.text,
      facts: [rule.hint],
      body: folded(
        texts.change,
        formPart(visit, {
          form: 'change',
          values: { id: rule.id },
          fields: ruleFields(rules, rule),
          buttons: [{ label: texts.save, kind: 'quiet' }],
        }),
      ),
      acts: [actPart(visit, { form: 'remove', label: texts.remove, values: { id: rule.id }, about: rule.text })],
    }))
    return {
      title: texts.tabs.rules,
      lead: rules.lead,
      body: html`${recordsPart(records, texts.none)}
<h2>${rules.new}</h2>
${formPart(visit, { form: 'add', fields: ruleFields(rules), buttons: [{ label: texts.add }] })}`,
    }
  },
  forms: {
    add: { endpoint: createRule, done: 'added' },
    change: { endpoint: changeRule, done: 'changed' },
    remove: { endpoint: deleteRule, done: 'removed', final: () => 'removeRule' },
  },
}

/** GET /admin/settings/terms: the terms of service, by effective date. */
export const termsPage: AdminPage = {
  path: '/admin/settings/terms',
  section: 'settings',
  tab: 'terms',
  access: listTerms.access,
  async read(visit) {
    const { texts } = visit
    const { terms } = texts
    const versions = await read<TermsVersion[]>(visit, listTerms)
    const held = versions.find(({ isEffective }) => isEffective)
    const records = versions.map(({ effectiveOn, text, isEffective }) => ({
      title: effectiveOn,
      href: `/terms-of-service/${effectiveOn}`,
      marks: [effectiveOn === held?.effectiveOn && terms.inForce, !isEffective && terms.coming],
      body: folded(terms.text, html`<div class="said quoted">${text}</div>`),
      acts: [actPart(visit, { form: 'remove', label: texts.remove, values: { effective_on: effectiveOn }, about: effectiveOn })],
    }))
    const fields: Field[] = [
      { name: 'text', label: terms.text, kind: 'area', rows: 16, hint: terms.textHint, value: versions[0]?.text ?? '' },
      { name: 'effective_on', label: terms.effectiveOn, kind: 'date', hint: terms.effectiveOnHint },
    ]
    return {
      title: texts.tabs.terms,
      lead: terms.lead,
      body: html`${recordsPart(records, terms.none)}
<h2>${terms.new}</h2>
${formPart(visit, { form: 'publish', fields, buttons: [{ label: terms.publish }] })}`,
    }
  },
  forms: {
    publish: { endpoint: publishTerms, done: 'published' },
    remove: { endpoint: deleteTerms, done: 'removed', final: () => 'removeTerms', isDangerous: () => true },
  },
}

type Look = Pick<InstanceCard, 'pictures' | 'color' | 'title'>

const DEFAULTS = { thumbnail: '/instance/thumbnail.png', icon: '/instance/icon-192.png' } as const
const KINDS = ['thumbnail', 'icon'] as const

/** GET /admin/settings/appearance: picture, icon and color. */
export const appearancePage: AdminPage = {
  path: '/admin/settings/appearance',
  section: 'settings',
  tab: 'appearance',
  access: readAppearance.access,
  files: { names: ['picture'], bytes: MAX_PICTURE_BYTES },
  async read(visit) {
    const { texts, clients } = visit
    const { appearance } = texts
    const { pictures, color, title } = await read<Look>(visit, readAppearance)
    const sections = KINDS.map((kind) => {
      const own = pictures.find((picture) => picture.kind === kind)
      const address = own ? `/instance/${kind}?v=${own.digest}` : DEFAULTS[kind]
      const field = {
        name: 'picture',
        label: appearance[kind],
        hint: appearance.hints[kind],
        kind: 'file',
        accept: 'image/png,image/jpeg,image/webp',
      } as const
      return html`<h2>${appearance[kind]}</h2>
<div class="files"><img class="look ${kind}" src="${clients.config.baseUrl}${address}" alt="${appearance.alt(title)}"></div>
${formPart(visit, { form: 'picture', values: { kind }, fields: [field], buttons: [{ label: texts.save }], hasFile: true })}
${own && actPart(visit, { form: 'picture', values: { kind, reset: 'true' }, label: appearance.reset })}`
    })
    const fields: Field[] = [
      { name: 'title', label: texts.settings.texts.title.label, value: title },
      { name: 'color', label: appearance.color, hint: appearance.colorHint, kind: 'color', value: color },
    ]
    return {
      title: texts.tabs.appearance,
      lead: appearance.lead,
      body: html`${formPart(visit, { form: 'change', fields, buttons: [{ label: texts.save }] })}
${sections}`,
      files: [`${clients.config.baseUrl}/`],
    }
  },
  forms: {
    change: { endpoint: changeTexts, done: 'changed' },
    picture: { endpoint: changePicture, done: 'changed' },
  },
}
