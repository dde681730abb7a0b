import {
  type ChangeInstanceTextsRequest,
  InstanceSettingsDefinition,
  type InstanceTextList,
  type RuleList,
} from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { rulesOf, textsOf } from './instance.rules.ts'
import { InstanceReader, InstanceWriter } from './instance.store.ts'
import { setPicture } from './pictures.ts'
import { isTextName, ruleFaults, TEXT_NAMES, textFaults } from './settings.rules.ts'
import { deleteTerms, listTerms, publishTerms } from './terms.ts'

type Deps = { database: Database<FederationTables>; outbox: Outbox; clock: Clock; config: FederationConfig }

/** A text as it is stored: lines end alike, and an account has no sign before its name. */
const tidied = (name: string, value: string): string => {
  const text = value.replace(/\r\n?/g, '\n').trim()
  return name === 'contact_account' ? text.replace(/^@/, '') : text
}

const refuse = (faults: readonly string[]) => {
  if (faults.length > 0) throw invalid(...faults)
}

/** The service InstanceSettings of the contract. */
export const instanceSettingsHandler = ({ database, outbox, clock, config }: Deps): Handler => {
  const terms = {
    list: listTerms({ database, clock }),
    publish: publishTerms({ database, outbox, clock }),
    delete: deleteTerms({ database, outbox, clock }),
  }
  const changePicture = setPicture({ database, outbox })
  const reader = new InstanceReader(database.db)
  const configured = textsOf([], config)

  const texts = async (): Promise<InstanceTextList> => {
    const stored = await reader.texts()
    const values = textsOf(stored, config)
    const own = new Set(stored.map(({ name }) => name))
    return { texts: TEXT_NAMES.map((name) => ({ name, value: values[name], isStored: own.has(name) })) }
  }

  const change = async ({ texts: wanted, staffId }: ChangeInstanceTextsRequest) => {
    const changes = wanted.flatMap(({ name, value }) => (isTextName(name) ? [{ name, value: tidied(name, value) }] : []))
    refuse(changes.flatMap(({ name, value }) => textFaults(name, value)))
    const before = textsOf(await reader.texts(), config)
    const news = changes.filter(({ name, value }) => before[name] !== value)
    if (news.length === 0) return
    await transact(database.db, async (tx) => {
      const writer = new InstanceWriter(tx)
      for (const { name, value } of news) {
        if (value === configured[name]) await writer.removeText(name)
        else await writer.putText(name, value, new Date(clock.now()))
      }
      await outbox.append(tx, [staffActed({ staffId, action: 'change_settings', target: news.map(({ name }) => name).join(' ') })])
    })
  }

  type RuleAct = { staffId: string; action: string; text: string }

  /** Changes the rules, those of the settings being stored first. @throws Failure not_found where `work` finds no rule */
  const changeRules = async ({ staffId, action, text }: RuleAct, work: (writer: InstanceWriter) => Promise<string | undefined>) => {
    await transact(database.db, async (tx) => {
      const writer = new InstanceWriter(tx)
      await writer.adoptRules(config.rules)
      const target = orNotFound(await work(writer))
      await outbox.append(tx, [staffActed({ staffId, action, target, text })])
    })
    return rules()
  }
  const rules = async (): Promise<RuleList> => ({ rules: rulesOf(await reader.rules(), config) })

  return handler(InstanceSettingsDefinition, {
    read: texts,
    change: async (_call, request) => {
      await change(request)
      return texts()
    },
    createRule: async (_call, { text, hint, staffId }) => {
      refuse(ruleFaults({ text, hint }))
      return changeRules({ staffId, action: 'create_rule', text }, async (writer) => {
        await writer.addRule({ text: text.trim(), hint: hint.trim() })
        return text
      })
    },
    changeRule: async (_call, { id, text, hint, staffId }) => {
      refuse(ruleFaults({ text, hint }))
      return changeRules({ staffId, action: 'change_rule', text }, async (writer) =>
        (await writer.changeRule(id, { text: text.trim(), hint: hint.trim() })) ? id : undefined,
      )
    },
    deleteRule: (_call, { id, staffId }) => changeRules({ staffId, action: 'delete_rule', text: '' }, (writer) => writer.removeRule(id)),
    setPicture: (_call, request) => changePicture(request),
    listTerms: () => terms.list(),
    publishTerms: (_call, request) => terms.publish(request),
    deleteTerms: (_call, request) => terms.delete(request),
  })
}
