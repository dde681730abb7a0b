import { accountsArea, type OnAct } from './accounts.ts'
import { announcementsArea } from './announcements.ts'
import { Domains, domainsArea } from './domains.ts'
import { Emojis, emojisArea } from './emojis.ts'
import { instanceArea } from './instance.ts'
import { knowingArea } from './knowing.ts'
import { movesArea } from './moves.ts'
import { Reports, reportsArea } from './reports.ts'
import { rolesArea } from './roles.ts'
import { Rules, rulesArea } from './rules.ts'
import { type Newcomers, signUpsArea } from './sign-ups.ts'
import type { Area, Stage } from './stage.ts'
import { Strikes, strikesArea } from './strikes.ts'
import { openTags, tagsArea } from './tags.ts'

/** All that staff do, roles first: what is taken back is so in this order. */
export const areasOf = async (stage: Stage): Promise<Area[]> => {
  const [domains, reports, rules, emojis, strikes] = [new Domains(), new Reports(), new Rules(), new Emojis(), new Strikes()]
  const newcomers: Newcomers = new Map()
  const onAct: OnAct = (account, by, { type, isTold }) => {
    if (type !== 'none') reports.resolveAll(account.id, by)
    if (isTold && account.domain === undefined) strikes.add(account.id, type)
  }
  return [
    rolesArea(stage),
    movesArea(stage, domains),
    domainsArea(stage, domains),
    accountsArea(stage, { isFollowed: (by, id) => domains.isFollowed(by, id), onAct }),
    reportsArea(stage, reports, { rules: rules.ids, onAct }),
    rulesArea(stage, rules),
    emojisArea(stage, emojis),
    announcementsArea(stage, emojis),
    signUpsArea(stage, newcomers, await stage.world.appToken('read write')),
    tagsArea(stage, await openTags(stage)),
    knowingArea(stage, domains),
    strikesArea(stage, strikes),
    instanceArea(stage, { reports, newcomers }),
  ]
}
