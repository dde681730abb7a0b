import type { DomainImport } from '@rookery/contracts/federation'
import { CSV_HEADER, csvLineOf } from '@rookery/domain-names'
import type { Values } from '@rookery/http'
import { html } from '@rookery/pages'
import { api } from '../api.ts'
import { importDomains, listDomainImports, MAX_LIST_BYTES } from '../endpoints/domain-imports.ts'
import type { Field } from '../fields.ts'
import type { AdminFile, AdminPage } from '../page.ts'
import { formPart, numberOf, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { wordFor } from '../texts/index.ts'
import { ask, read, type Visit } from '../visit.ts'
import { recordPage } from './record-page.ts'

/** Admin::DomainBlock (spec, Resources). */
export type DomainBlock = {
  id: string
  domain: string
  created_at: string
  severity: string
  reject_media: boolean
  reject_reports: boolean
  private_comment: string | null
  public_comment: string | null
  obfuscate: boolean
}

const FLAGS = ['reject_media', 'reject_reports', 'obfuscate'] as const

const settingFields = ({ texts }: Visit, block?: DomainBlock): Field[] => {
  const { domains } = texts
  return [
    {
      name: 'severity',
      label: domains.severity,
      kind: 'choice',
      value: block?.severity ?? 'silence',
      options: Object.entries(domains.severities),
    },
    ...FLAGS.map((name) => ({ name, label: domains[name], kind: 'check', value: String(block?.[name] ?? false) }) as const),
    { name: 'private_comment', label: domains.private_comment, value: block?.private_comment ?? '' },
    { name: 'public_comment', label: domains.public_comment, value: block?.public_comment ?? '' },
  ]
}

/** A suspension ends follows, which do not return when it is lifted. */
const finalOfBlock = ({ severity, before }: Values) => (severity === 'suspend' && before !== 'suspend' ? 'suspendDomain' : undefined)

/** GET /admin/domains: blocked domains. */
export const domainsPage = recordPage<DomainBlock>({
  path: '/admin/domains',
  section: 'domains',
  tab: 'domainBlocks',
  isFirst: true,
  title: (texts) => texts.sections.domains,
  lead: (texts) => texts.domains.lead,
  list: api('GET /api/v1/admin/domain_blocks'),
  create: api('POST /api/v1/admin/domain_blocks'),
  remove: api('DELETE /api/v1/admin/domain_blocks/:id'),
  final: { add: finalOfBlock },
  fields: (visit) => [{ name: 'domain', label: visit.texts.domains.domain }, ...settingFields(visit)],
  record: (block, visit) => ({
    title: block.domain,
    href: `/admin/domains/${block.id}`,
    marks: [wordFor(visit.texts.domains.severities, block.severity), ...FLAGS.map((name) => block[name] && visit.texts.domains[name])],
    facts: [block.public_comment ?? '', block.private_comment ?? '', timePart(visit, block.created_at)],
  }),
  more: ({ texts }) => html`<p class="foot"><a href="/admin/domains/export.csv" download>${texts.domains.save}</a></p>`,
})

const importRecord = (each: DomainImport, visit: Visit): RecordParts => {
  const { domains } = visit.texts
  const count = (value: number) => numberOf(visit, value)
  const worked = each.done + each.known + each.invalid
  const progress = domains.progress(count(worked), count(each.lines))
  return {
    title: timePart(visit, each.createdAtMilliseconds),
    marks: [each.isFinished && domains.finished],
    facts: [progress, domains.outcome(count(each.done), count(each.known), count(each.invalid))],
    body: !each.isFinished && html`<progress max="${each.lines}" value="${worked}" aria-label="${progress}"></progress>`,
  }
}

/** GET /admin/domains/imports: imports a list, and shows the progress of the latest imports. */
export const domainImportsPage: AdminPage = {
  path: '/admin/domains/imports',
  section: 'domains',
  tab: 'domainImports',
  access: listDomainImports.access,
  files: { names: ['list'], bytes: MAX_LIST_BYTES },
  async read(visit) {
    const { texts } = visit
    const imports = await read<DomainImport[]>(visit, listDomainImports)
    const list = {
      name: 'list',
      label: texts.domains.list,
      hint: texts.domains.listHint,
      kind: 'file',
      accept: '.csv,.txt,text/csv,text/plain',
    } as const
    return {
      title: texts.tabs.domainImports,
      lead: texts.domains.importsLead,
      body: html`${formPart(visit, { form: 'import', hasFile: true, fields: [list], buttons: [{ label: texts.domains.import }] })}
${recordsPart(
  imports.map((each) => importRecord(each, visit)),
  texts.none,
)}`,
    }
  },
  forms: { import: { endpoint: importDomains, done: 'importing' } },
}

/** GET /admin/domains/:id: the block of a domain. */
export const domainPage: AdminPage = {
  path: '/admin/domains/:id',
  section: 'domains',
  access: api('GET /api/v1/admin/domain_blocks/:id').access,
  async read(visit) {
    const { texts, params } = visit
    const block = await read<DomainBlock>(visit, api('GET /api/v1/admin/domain_blocks/:id'), params)
    return {
      title: block.domain,
      body: html`${formPart(visit, { form: 'change', values: { before: block.severity }, about: block.domain, fields: settingFields(visit, block), buttons: [{ label: texts.save }] })}
<p class="foot"><a href="/admin/domains">${texts.back}</a></p>`,
    }
  },
  forms: {
    change: { endpoint: api('PUT /api/v1/admin/domain_blocks/:id'), done: 'changed', final: finalOfBlock, next: () => '/admin/domains' },
  },
}

/** GET /admin/domains/allowed: allowed domains, on a server with an allow-list. */
export const allowsPage = recordPage<{ id: string; domain: string; created_at: string }>({
  path: '/admin/domains/allowed',
  section: 'domains',
  tab: 'domainAllows',
  title: (texts) => texts.tabs.domainAllows,
  lead: (texts) => texts.domains.allowsLead,
  list: api('GET /api/v1/admin/domain_allows'),
  create: api('POST /api/v1/admin/domain_allows'),
  remove: api('DELETE /api/v1/admin/domain_allows/:id'),
  fields: ({ texts }) => [{ name: 'domain', label: texts.domains.domain }],
  record: ({ domain, created_at: at }, visit) => ({ title: domain, facts: [timePart(visit, at)] }),
})

const AT_ONCE = 200

/** GET /admin/domains/export.csv: all blocks, in the format that servers exchange. */
export const domainsFile: AdminFile = {
  path: '/admin/domains/export.csv',
  name: 'domain_blocks.csv',
  access: api('GET /api/v1/admin/domain_blocks').access,
  async *write(visit) {
    yield CSV_HEADER
    for (let maxId: string | undefined; ; ) {
      const { body } = await ask(visit, api('GET /api/v1/admin/domain_blocks'), { limit: String(AT_ONCE), ...(maxId && { max_id: maxId }) })
      const blocks = body as DomainBlock[]
      if (blocks.length > 0) yield blocks.map(csvLineOf).join('')
      if (blocks.length < AT_ONCE) return
      maxId = blocks.at(-1)?.id
    }
  },
}
