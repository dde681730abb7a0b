import { expect, it } from 'vitest'
import { csvLine } from './csv.rules.ts'

it.each([
  [['mara@birds.example', 'true', 'false', ''], 'mara@birds.example,true,false,\n'],
  [['Tea, and cake', 'a"b', 'two\nlines', ' room'], '"Tea, and cake","a""b","two\nlines"," room"\n'],
  [[], '\n'],
])('%j is written as other programs read it', (cells, line) => expect(csvLine(cells)).toBe(line))
