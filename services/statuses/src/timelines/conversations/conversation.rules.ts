/** The accounts a conversation shows to its owner: the others, or the owner if there are no others (beyond-the-spec 1.16). */
export const accountsShown = (participantIds: readonly string[], ownerId: string): string[] => {
  const others = participantIds.filter((id) => id !== ownerId)
  return others.length > 0 ? others : [ownerId]
}
