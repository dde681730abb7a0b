const FOLLOWS_FREE = 7500
const FOLLOWS_PER_FOLLOWER = 1.1

/** How many people somebody may follow: 7,500, or a tenth more than follow them (beyond-the-spec 1.2). */
export const mostFollows = (followers: number): number => Math.max(FOLLOWS_FREE, Math.round(followers * FOLLOWS_PER_FOLLOWER))
