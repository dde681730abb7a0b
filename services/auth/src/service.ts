/** The name of this service, and of its schema, database role, topic and jobs. */
export const SERVICE = 'auth'
