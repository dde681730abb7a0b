import { reportJson } from '@rookery/entities'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, text, textList } from '../http/fields.ts'

/**
 * Checks that rules exist, since they belong to another service than reports; a report of before may name removed ones too.
 * @throws Failure invalid for an unknown one
 */
export const refuseUnknownRules = async (call: Call, ids: readonly string[], { instance }: Clients, { withRemoved = false } = {}) => {
  if (ids.length === 0) return
  const { rules, removed } = await instance.readRules(call, {})
  const known = new Set([...rules, ...(withRemoved ? removed : [])].map(({ id }) => id))
  if (!ids.every((id) => known.has(id))) throw invalid('Rule ids does not reference valid rules')
}

export const fileReport = endpoint({
  method: 'POST',
  path: '/api/v1/reports',
  access: User('write:reports'),
  summary:
    'Reports an account to moderators, with its statuses and the violated rules; where wanted, also to its server and those of the people whom its statuses answer.',
  input: form({
    account_id: text(),
    status_ids: textList(),
    comment: text(),
    category: text(),
    rule_ids: textList(),
    forward: flag(),
    forward_to_domains: textList(),
  }),
  handle: async ({ call, input, viewerId }, clients) => {
    await refuseUnknownRules(call, input.rule_ids, clients)
    const { reports, accounts } = await clients.reports.file(call, {
      viewerId,
      accountId: input.account_id ?? '',
      statusIds: input.status_ids,
      comment: input.comment ?? '',
      category: input.category ?? '',
      ruleIds: input.rule_ids,
      forward: input.forward,
      forwardToDomains: input.forward_to_domains,
    })
    const [report, account] = [orNotFound(reports[0]), orNotFound(accounts[0])]
    return reportJson(report, clients.render.account(account))
  },
})
