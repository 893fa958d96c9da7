/** No secret among the arguments, which every process of the machine can read and a shell remembers. */
import * as Effect from "effect/Effect"
import { UsageError } from "../Failure.js"
import * as Secrecy from "../settings/Secrecy.js"

/** The flag that reads a token from where nobody else sees it. */
const allowed = "--token-stdin"

/** The flags of `vigil auth` that take no value, and the end of all flags: what follows is a word of its own. */
const switches = new Set([allowed, "--no-browser", "--sandbox", "--help", "-h", "--"])

const refuse = (what: string) =>
  new UsageError({
    message: `${what}. No secret belongs on the command line, where others can read it and a shell remembers it. Count it as leaked. ${Secrecy.rightWay}`,
  })

const isFlag = (argument: string) => argument.startsWith("-")

const nameOf = (flag: string) => flag.replace(/=.*/s, "")

const isSecretFlag = (argument: string) =>
  isFlag(argument) && nameOf(argument) !== allowed && Secrecy.isSecretName(nameOf(argument))

/** A flag that says that a token comes on stdin takes none. */
const isMisused = (argument: string) => argument.startsWith(`${allowed}=`)

/** A word after `auth login` that is no flag's value: the token, most likely. */
const isStray = (args: ReadonlyArray<string>, argument: string, index: number) => {
  const before = args[index - 1] ?? ""
  return (
    args[0] === "auth" &&
    index > 1 &&
    !isFlag(argument) &&
    (!isFlag(before) || before.includes("=") || switches.has(before))
  )
}

/** Fails with a `UsageError` that does not hold the secret. */
export const refuseSecrets = (args: ReadonlyArray<string>): Effect.Effect<void, UsageError> => {
  const secret = args.find(isSecretFlag)
  if (secret !== undefined) return refuse(`There is no flag ${nameOf(secret)}`)
  if (args.some((argument) => Secrecy.hasUserinfo(argument.replace(/^-[\w-]+=/, ""))))
    return refuse("An address holds a user or a password")
  if (args.some(isMisused)) return refuse(`The flag ${allowed} takes no value`)
  return args.some((argument, index) => isStray(args, argument, index))
    ? refuse("vigil auth takes flags alone, and the word beside them may be a secret")
    : Effect.void
}
