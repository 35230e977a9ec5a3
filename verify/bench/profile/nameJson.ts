/**
 * Loaded before a server that is profiled: V8 counts JSON's two functions for whoever calls them, unless they are called by
 * functions of their own.
 */
const { parse, stringify } = JSON

JSON.parse = (...args: Parameters<typeof parse>) => parse(...args)
JSON.stringify = ((...args: Parameters<typeof stringify>) => stringify(...args)) as typeof stringify
