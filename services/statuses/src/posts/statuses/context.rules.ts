/** Limits of a thread (beyond-the-spec 1.11, Context). */
export const CONTEXT_LIMITS = {
  anonymous: { ancestors: 40, descendants: 60, depth: 20 },
  member: { ancestors: 4096, descendants: 4096, depth: 4096 },
} as const

/** The statuses around a status, in order: ancestors from the root, replies depth first. */
export type Thread = { ancestorIds: string[]; descendantIds: string[]; aroundIds: string[] }

/** A reply within a thread. */
export type Reply = { id: string; parentId: string; authorId: string }

/**
 * Orders replies depth first, oldest first; replies of the root's author to themselves come first (beyond-the-spec 1.11). Without recursion, so that
 * a chain of any depth works.
 */
export const threadOrder = (rootId: string, rootAuthorId: string, replies: readonly Reply[]): string[] => {
  const children = new Map<string, Reply[]>()
  for (const reply of replies) {
    const siblings = children.get(reply.parentId)
    if (siblings) siblings.push(reply)
    else children.set(reply.parentId, [reply])
  }
  const ordered: string[] = []
  const stack = [{ id: rootId, authorId: rootAuthorId }]
  while (stack.length > 0) {
    const parent = stack.pop()!
    if (parent.id !== rootId) ordered.push(parent.id)
    const below = children.get(parent.id) ?? []
    const own = below.filter((reply) => reply.authorId === parent.authorId)
    const others = below.filter((reply) => reply.authorId !== parent.authorId)
    stack.push(...[...own, ...others].reverse())
  }
  return ordered
}

/** The thread around a status, from its ancestors, nearest first, and its replies. */
export const threadOf = (status: { id: string; authorId: string }, chain: readonly string[], replies: readonly Reply[]): Thread => {
  const ancestorIds = chain.toReversed()
  const descendantIds = threadOrder(status.id, status.authorId, replies)
  return { ancestorIds, descendantIds, aroundIds: [...ancestorIds, ...descendantIds] }
}
