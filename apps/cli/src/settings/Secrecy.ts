/** What no file of settings, no list of arguments and no screen may hold: the looks of a secret. */

/** What a word that names a secret holds, in lower case, without what parts words. */
const secretWords = /token|secret|passw|apikey|accesskey|privatekey|credential|bearer|authorization|cookie/

/** Whether a key of a file, or a flag, names a secret: `apiToken`, `api-token`, `PASSWORD`. */
export const isSecretName = (name: string): boolean => secretWords.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""))

/** Whether a text is an address with a user or a password in it, whatever else is wrong with it. */
export const hasUserinfo = (text: string): boolean => /^\s*[a-z][\w+.-]+:[/\\]*[^/\\?#]*@/i.test(text)

/** The right way, for a sentence. */
export const rightWay =
  "Set HEALTH_ACCESS_TOKEN or APPMGMT_API_TOKEN in the environment, or give it once to vigil auth login --token-stdin."
