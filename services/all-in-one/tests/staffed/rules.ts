import { InstanceSettingsDefinition } from '@rookery/contracts/federation'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Area, Json, Maker, Stage } from './stage.ts'
import { called, judging } from './stage.ts'

// The rules of the server.

type Rule = { id: string; text: string; hint: string }

export class Rules {
  all: Rule[] = [{ id: '1', text: 'Be kind', hint: '' }]
  readonly ids = () => this.all.map(({ id }) => id)
}

const TEXTS = ['Be kind', 'No selling', 'No tea']

export const rulesArea = (stage: Stage, rules: Rules): Area => {
  const { world, random, staff } = stage
  const { may } = judging(stage)
  const settings = innerClient(world, InstanceSettingsDefinition)
  const staffed = (make: (staffId: string) => ReturnType<Maker>): Maker => {
    return () => {
      const by = random.of(staff)
      return may(by, PERMISSIONS.manageRules) ? make(by.id) : undefined
    }
  }
  const create = staffed((staffId) => {
    const rule = { text: random.of(TEXTS), hint: random.of(['', 'Really.']) }
    return {
      what: `create rule ${JSON.stringify(rule)}`,
      send: () => called(() => settings.createRule(innerCall(), { ...rule, staffId })),
      wanted: 200,
      keys: ['rules'],
      fixed: [`account ${staffId}`],
      done: (body) => rules.all.push({ id: body.rules.at(-1).id, ...rule }),
    }
  })
  const one = () => (rules.all.length > 0 ? random.of(rules.all) : undefined)
  const change = staffed((staffId) => {
    const [rule, text] = [one(), random.of(TEXTS)]
    return (
      rule && {
        what: `change rule ${rule.id} to ${text}`,
        send: () => called(() => settings.changeRule(innerCall(), { id: rule.id, text, hint: '', staffId })),
        wanted: 200,
        keys: ['rules'],
        fixed: [`account ${staffId}`],
        done: () => Object.assign(rule, { text, hint: '' }),
      }
    )
  })
  const remove = staffed((staffId) => {
    const rule = one()
    return (
      rule && {
        what: `delete rule ${rule.id}`,
        send: () => called(() => settings.deleteRule(innerCall(), { id: rule.id, staffId })),
        wanted: 200,
        keys: ['rules'],
        fixed: [`account ${staffId}`],
        done: () => {
          rules.all = rules.all.filter((each) => each !== rule)
        },
      }
    )
  })
  return {
    makers: [
      [2, create],
      [1, change],
      [2, remove],
    ],
    learn: async (raced) => {
      if (!raced.has('rules')) return
      const { body } = await world.get('/api/v1/instance/rules')
      rules.all = body.map(({ id, text, hint }: Json) => ({ id, text, hint }))
    },
    compare: async ({ viewer, compare }) => {
      if (viewer.id && !judging(stage).isIn(viewer)) return
      for (const path of ['/api/v1/instance/rules', '/api/v1/instance', '/api/v2/instance']) {
        const { body } = await viewer.get(path)
        const is = (Array.isArray(body) ? body : body.rules).map(({ id, text, hint }: Json) => ({ id, text, hint }))
        compare(`rules of ${path}`, is, rules.all)
      }
    },
  }
}
