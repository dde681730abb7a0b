import { html } from '@rookery/pages'
import { api } from '../api.ts'
import { numberOf, timePart } from '../parts.ts'
import { wordFor } from '../texts/index.ts'
import { recordPage } from './record-page.ts'

type EmailDomainBlock = { id: string; domain: string; created_at: string; history: { uses: string }[] }
type IpBlock = { id: string; ip: string; severity: string; comment: string; created_at: string; expires_at: string | null }

/** GET /admin/addresses: mail domains that may not be used to sign up. */
export const emailDomainsPage = recordPage<EmailDomainBlock>({
  path: '/admin/addresses',
  section: 'addresses',
  tab: 'emailDomains',
  isFirst: true,
  title: (texts) => texts.tabs.emailDomains,
  lead: (texts) => texts.addresses.emailDomainsLead,
  list: api('GET /api/v1/admin/email_domain_blocks'),
  create: api('POST /api/v1/admin/email_domain_blocks'),
  remove: api('DELETE /api/v1/admin/email_domain_blocks/:id'),
  fields: ({ texts }) => [{ name: 'domain', label: texts.domains.domain }],
  record: ({ domain, created_at: at, history }, visit) => ({
    title: domain,
    facts: [
      timePart(visit, at),
      visit.texts.addresses.refused(
        numberOf(
          visit,
          history.reduce((sum, { uses }) => sum + Number(uses), 0),
        ),
      ),
    ],
  }),
})

/** GET /admin/addresses/networks: networks with restrictions. */
export const networksPage = recordPage<IpBlock>({
  path: '/admin/addresses/networks',
  section: 'addresses',
  tab: 'networks',
  title: (texts) => texts.tabs.networks,
  lead: (texts) => texts.addresses.networksLead,
  list: api('GET /api/v1/admin/ip_blocks'),
  create: api('POST /api/v1/admin/ip_blocks'),
  remove: api('DELETE /api/v1/admin/ip_blocks/:id'),
  fields: ({ texts }) => [
    { name: 'ip', label: texts.accounts.ip },
    { name: 'severity', label: texts.domains.severity, kind: 'choice', options: Object.entries(texts.addresses.severities) },
    { name: 'comment', label: texts.addresses.comment },
    { name: 'expires_in', label: texts.addresses.expiresIn, kind: 'choice', options: Object.entries(texts.addresses.periods) },
  ],
  record: ({ ip, severity, comment, created_at: at, expires_at: end }, visit) => {
    return {
      title: ip,
      marks: [wordFor(visit.texts.addresses.severities, severity)],
      facts: [comment, timePart(visit, at), end !== null && html`${visit.texts.addresses.until} ${timePart(visit, end)}`],
    }
  },
})

/** GET /admin/addresses/mailboxes: mailboxes that may not be used to sign up, as hashes. */
export const mailboxesPage = recordPage<{ id: string; canonical_email_hash: string }>({
  path: '/admin/addresses/mailboxes',
  section: 'addresses',
  tab: 'mailboxes',
  title: (texts) => texts.tabs.mailboxes,
  lead: (texts) => texts.addresses.mailboxesLead,
  list: api('GET /api/v1/admin/canonical_email_blocks'),
  create: api('POST /api/v1/admin/canonical_email_blocks'),
  remove: api('DELETE /api/v1/admin/canonical_email_blocks/:id'),
  final: { remove: () => 'removeMailbox' },
  fields: ({ texts }) => [{ name: 'email', label: texts.accounts.mailAddress, kind: 'email' }],
  record: ({ canonical_email_hash: hash }) => ({ title: hash }),
})
