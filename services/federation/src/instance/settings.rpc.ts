import {
  type ChangeInstanceTextsRequest,
  type ChangeRuleRequest,
  type CreateRuleRequest,
  type DeleteRuleRequest,
  InstanceSettingsDefinition,
  type InstanceTextList,
  type RuleList,
} from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { type Call, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { rulesOf, textsOf } from './instance.rules.ts'
import { InstanceReader, InstanceWriter } from './instance.store.ts'
import { setPicture } from './pictures.ts'
import { lookup, type StatusesClients } from './read-instance.ts'
import { isTextName, ruleFaults, TEXT_NAMES, textFaults } from './settings.rules.ts'
import { deleteTerms, listTerms, publishTerms } from './terms.ts'

type Deps = {
  database: Database<FederationTables>
  outbox: Outbox
  clock: Clock
  config: FederationConfig
  statuses: Pick<StatusesClients, 'accounts'>
}

/** Normalises a text: line endings, surrounding space, and the @ before an account. */
const tidied = (name: string, value: string): string => {
  const text = value.replace(/\r\n?/g, '\n').trim()
  return name === 'contact_account' ? text.replace(/^@/, '') : text
}

const refuse = (faults: readonly string[]) => {
  if (faults.length > 0) throw invalid(...faults)
}

/** @throws Failure invalid for a contact account that does not exist or is not visible */
const refuseNoContact = async (accounts: StatusesClients['accounts'], call: Call, acct: string | undefined) => {
  if (acct && !(await lookup(accounts, acct, call))) throw invalid('Contact account does not exist')
}

/** The texts that describe the instance, and how staff change them. */
const createTexts = ({ database, outbox, clock, config, statuses }: Deps) => {
  const reader = new InstanceReader(database.db)
  const configured = textsOf([], config)

  const read = async (): Promise<InstanceTextList> => {
    const stored = await reader.texts()
    const values = textsOf(stored, config)
    const own = new Set(stored.map(({ name }) => name))
    return { texts: TEXT_NAMES.map((name) => ({ name, value: values[name], isStored: own.has(name) })) }
  }

  const change = async (call: Call, { texts: wanted, staffId }: ChangeInstanceTextsRequest) => {
    const changes = wanted.flatMap(({ name, value }) => (isTextName(name) ? [{ name, value: tidied(name, value) }] : []))
    refuse(changes.flatMap(({ name, value }) => textFaults(name, value)))
    const before = textsOf(await reader.texts(), config)
    const news = changes.filter(({ name, value }) => before[name] !== value)
    if (news.length === 0) return
    // A value of the settings may always be restored.
    const isContact = ({ name, value }: { name: string; value: string }) =>
      name === 'contact_account' && value !== configured.contact_account
    await refuseNoContact(statuses.accounts, call, news.find(isContact)?.value)
    await transact(database.db, async (tx) => {
      const writer = new InstanceWriter(tx)
      for (const { name, value } of news) {
        if (value === configured[name]) await writer.removeText(name)
        else await writer.putText(name, value, new Date(clock.now()))
      }
      await outbox.append(tx, [staffActed({ staffId, action: 'change_settings', target: news.map(({ name }) => name).join(' ') })])
    })
  }
  return { read, change }
}

type RuleAct = { staffId: string; action: string; text: string }

/** The rules, and how staff change them. */
const createRules = ({ database, outbox, config }: Deps) => {
  const reader = new InstanceReader(database.db)

  /** Changes the rules; rules of the settings are stored first. @throws Failure not_found if `work` finds no rule */
  const act = async (
    { staffId, action, text }: RuleAct,
    work: (writer: InstanceWriter) => Promise<string | undefined>,
  ): Promise<RuleList> => {
    await transact(database.db, async (tx) => {
      const writer = new InstanceWriter(tx)
      await writer.adoptRules(config.rules)
      const target = orNotFound(await work(writer))
      await outbox.append(tx, [staffActed({ staffId, action, target, text })])
    })
    return { rules: rulesOf(await reader.rules(), config), removed: [] }
  }

  return {
    async create({ text, hint, staffId }: CreateRuleRequest) {
      refuse(ruleFaults({ text, hint }))
      return act({ staffId, action: 'create_rule', text }, async (writer) => {
        await writer.addRule({ text: text.trim(), hint: hint.trim() })
        return text
      })
    },
    async change({ id, text, hint, staffId }: ChangeRuleRequest) {
      refuse(ruleFaults({ text, hint }))
      const change = async (writer: InstanceWriter) =>
        (await writer.changeRule(id, { text: text.trim(), hint: hint.trim() })) ? id : undefined
      return act({ staffId, action: 'change_rule', text }, change)
    },
    delete: ({ id, staffId }: DeleteRuleRequest) => act({ staffId, action: 'delete_rule', text: '' }, (writer) => writer.removeRule(id)),
  }
}

/** The calls of federation.v1.InstanceSettings. */
export const createInstanceSettingsRpc = (deps: Deps): Handler => {
  const terms = { list: listTerms(deps), publish: publishTerms(deps), delete: deleteTerms(deps) }
  const texts = createTexts(deps)
  const rules = createRules(deps)
  const changePicture = setPicture(deps)
  return handler(InstanceSettingsDefinition, {
    read: texts.read,
    change: async (call, request) => {
      await texts.change(call, request)
      return texts.read()
    },
    createRule: (_call, request) => rules.create(request),
    changeRule: (_call, request) => rules.change(request),
    deleteRule: (_call, request) => rules.delete(request),
    setPicture: (_call, request) => changePicture(request),
    listTerms: () => terms.list(),
    publishTerms: (_call, request) => terms.publish(request),
    deleteTerms: (_call, request) => terms.delete(request),
  })
}
