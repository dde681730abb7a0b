import type { Configuration, Form } from './shape.ts'

/** The profiles that people name, and what is then laid over the configuration, in this order. */
export const FORMS = { none: [], dev: ['dev'], debug: ['dev', 'debug'], ci: ['ci'], prod: ['prod'] } as const
export type FormName = keyof typeof FORMS

type Part = Record<string, unknown>
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lays one part over another as skaffold does: lists count as a whole, and of ways that exclude each other the latter. */
const lay = (under: Part, over: Part): Part => {
  const result = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = under[key]
    result[key] = isPart(below) && isPart(value) && key !== 'tagPolicy' ? lay(below, value) : value
  }
  return result
}

/** What the configuration comes to with a form's profiles. */
export const formOf = ({ build, deploy, portForward, profiles }: Configuration, name: FormName): Form => {
  const chosen = FORMS[name].map((each) => profiles.find((profile) => profile.name === each))
  const layers = chosen.map((profile) => {
    const { name: _name, activation: _activation, ...rest } = profile ?? { name: '' }
    return rest
  })
  return layers.reduce<Part>(lay, { build, deploy, portForward }) as Form
}
