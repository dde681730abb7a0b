import { expect, test } from 'vitest'
import { interactionTarget } from './interaction.rules.ts'

const BASE = 'https://here.example:3000'
const here = (username: string, id?: string) => ({ kind: 'here', username, id })
const elsewhere = (name: string) => ({ kind: 'elsewhere', name })

test.each([
  ['acct:mara@here.example:3000', here('mara')],
  ['@Mara@HERE.example:3000', here('Mara')],
  ['mara@there.example', elsewhere('@mara@there.example')],
  ['https://here.example:3000/@mara', here('mara')],
  ['https://here.example:3000/users/mara', here('mara')],
  ['https://here.example:3000/@mara/12', here('mara', '12')],
  ['https://here.example:3000/users/mara/statuses/12/', here('mara', '12')],
  ['http://there.example/@joel/3?x="', elsewhere('http://there.example/@joel/3?x=%22')],
  ['https://here.example:3000/about', undefined],
  ['javascript:alert(1)', undefined],
  ['https://a:b@there.example/', undefined],
  ['//there.example/', undefined],
  ['', undefined],
  [`https://there.example/${'a'.repeat(2048)}`, undefined],
  ['mara', undefined],
])('%j means %j', (typed, expected) => expect(interactionTarget(typed, BASE)).toEqual(expected))
