const NEAR = 'looks through the newest thousand rows of each index, which a small server does not have'

/** Maximum statements per page, on a warm server of 3,000 people and 50,000 statuses. */
export const MAX_STATEMENTS: Readonly<Record<string, number>> = {
  others: 2,
  // Found once for all readers, then the flags of each reader.
  'public timeline of 20, signed in': 3,
  'tag timeline of 20': 3,
  'tag timeline of 20, any and none of others': 3,
  'tag timeline of 20, all of two': 3,
  // Two thousand uses a statement.
  'tag timeline of 20, media alone, where no status has any': 9,
  'context of 200': 5,
  'search for a common word that no one visible used': 3,
  'search for a common word': 3,
  'search for a rare word': 3,
  'search among 20,000 of one’s own for a word of others': 3,
  'search for statuses with media, where none has any': 3,
  'instance document': 3,
  'their followers, first page of 80': 4,
  'their followers, last page of 80': 4,
  'accounts by the beginning of a handle': 3,
  'accounts by the beginning of a name': 3,
  // One more while its candidates are refreshed.
  directory: 4,
  suggestions: 3,
}

/** Maximum rows read per page, a tenth more than now; for cached candidates, without their refresh. */
export const MAX_ROWS: Readonly<Record<string, number>> = {
  others: 80,
  'list timeline of 20': 210,
  'tag timeline of 20': 140,
  'tag timeline of 20, any and none of others': 250,
  'tag timeline of 20, all of two': 350,
  'tag timeline of 20, media alone, where no status has any': 53_000,
  'context of 200': 720,
  'search of one’s own statuses': 145,
  'search for a common word that no one visible used': 1300,
  'search for a common word': 1300,
  'search for a rare word': 1350,
  'search among 20,000 of one’s own for a word of others': 1550,
  'search among them from:me': 480,
  'search for statuses with media, where none has any': 12_500,
  'their followers, first page of 80': 185,
  'their followers, last page of 80': 185,
  'accounts by the beginning of a handle': 210,
  'accounts by the beginning of a name': 220,
  directory: 2700,
  'trending tags': 100,
  'trending statuses of 20, signed in': 85,
  suggestions: 2200,
}

/** Pages that may read more on a larger server, within the maximum, and why. */
export const GROWS: Readonly<Record<string, string>> = {
  'list timeline of 20': 'looks at the newest of its members, up to a number that a small server does not have',
  'tag timeline of 20, media alone, where no status has any': 'looks through all uses, up to a number that neither server has',
  'search for statuses with media, where none has any': 'looks through the newest of all statuses, up to a number that neither server has',
  'search of one’s own statuses': 'looks through the searcher’s own, of which people of the larger server have half as many again',
  'search for a common word that no one visible used': NEAR,
  'search for a common word': NEAR,
  'search for a rare word': NEAR,
  'search among 20,000 of one’s own for a word of others': NEAR,
  suggestions: 'reads the friends of friends of people who have few, and on a small server most of them are friends',
  directory: 'reads its candidates again after five seconds, at either size',
}
