/** What a page is about doesn't exist, or not any more; the message says so. */
export class NoSuchPage extends Error {}
