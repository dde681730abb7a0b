/** The name of this service: of its schema, its role, its topic and its jobs. */
export const SERVICE = 'media'
