import type { Rule } from '@rookery/contracts/federation'

/** Rule (beyond-the-spec 1.1). */
export const ruleEntity = ({ id, text, hint }: Rule) => ({ id, text, hint, translations: {} })
