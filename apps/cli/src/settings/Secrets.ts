/** Detects secrets in arguments and in settings files. */
import * as Effect from "effect/Effect"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"

/** Words in the name of a secret, in lower case and without separators. */
const secretWords = /token|secret|passw|apikey|accesskey|privatekey|credential|bearer|authorization|cookie/

/** Whether the key of a setting, or a flag, names a secret: `apiToken`, `api-token`, `PASSWORD`. */
export const isSecretName = (name: string): boolean => secretWords.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""))

/** Whether a text is a URL with a user or a password, even if the URL is invalid. */
export const hasUserinfo = (text: string): boolean => /^\s*[a-z][\w+.-]+:[/\\]*[^/\\?#]*@/i.test(text)

/** Whether a text is the URL of a Postgres database with a user and without a password. A user name is not secret. */
const isDatabaseUser = (text: string): boolean => /^postgres(?:ql)?:\/\/[^/\\?#:@]+@[^@]*$/i.test(text)

/** The variables of the environment that contain a secret. `Environment.secret` reads only these. */
const variables = [
  "HEALTH_ACCESS_TOKEN",
  "HEALTH_CLIENT_SECRET",
  "APPMGMT_API_TOKEN",
  "VIGIL_DATABASE_URL",
  "VIGIL_SERVE_TOKEN",
] as const

export type Variable = (typeof variables)[number]

/** Those of other programs, such as the client of Postgres, and those that routes name. */
const others = new Set(["PGPASSWORD"])

/** Declares variables with secrets whose names a file contains. */
export const declare = (names: Iterable<string>): void => {
  for (const name of names) others.add(name.toUpperCase())
}

/** Whether a variable of the environment contains a secret of vigil, which no program that it runs gets. Windows ignores the case of names. */
export const isVariable = (name: string): boolean =>
  variables.some((one) => one === name.toUpperCase()) || others.has(name.toUpperCase())

export const advice = `Set ${Flag.either(variables)} in the environment, or pass a token once to vigil auth login --token-stdin.`

const allowed = new Set(["--token-stdin", "--token-command"])

/** The error for a secret among the arguments. It does not contain the secret. */
export const refuse = (what: string): UsageError =>
  new UsageError(
    `${what}. Do not pass secrets on the command line: other users can read them, and the shell stores them. Treat the secret as leaked. ${advice}`,
  )

/** Fails if the arguments contain a secret, which every process of the machine can read. */
export const refuseSecrets = (args: ReadonlyArray<string>): Effect.Effect<void, UsageError> => {
  const names = args.filter((argument) => argument.startsWith("-")).map((flag) => flag.replace(/=.*/s, ""))
  const secret = names.find((name) => !allowed.has(name) && isSecretName(name))
  if (secret !== undefined) return refuse(`Unknown flag ${secret}`)
  const texts = args.map((argument) => argument.replace(/^-[\w-]+=/, ""))
  if (texts.some((text) => hasUserinfo(text) && !isDatabaseUser(text)))
    return refuse("A URL contains a user or a password")
  return args.some((argument) => argument.startsWith("--token-stdin="))
    ? refuse("The flag --token-stdin takes no value")
    : Effect.void
}
