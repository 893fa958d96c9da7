/**
 * API tokens: what each kind may do, as a table (document, "API token").
 *
 * A token's value is shown once, when it is created in the portal; it can't be seen or made again. Keep it as a secret, never in
 * source code. A token that leaked, or is not needed any more, is deleted in the portal, at once: from then on it opens nothing, and
 * requests with it are answered 401.
 */
import * as PlainText from "@vigil/core-http/PlainText"
import * as Data from "effect/Data"
import * as AppName from "./AppName.js"

/**
 * A user token has the rights of the user who made it, an app token rights on one app. Of an app, its managers create tokens of either
 * access, its developers read-only ones alone (document, "API token").
 *
 * @category models
 * @since 0.1.0
 */
export type Kind = "user" | "app"

/**
 * How much of these rights: all of them, or those of a viewer.
 *
 * @category models
 * @since 0.1.0
 */
export type Access = "full" | "read-only"

/**
 * How many tokens an account may have (document, "Limits").
 *
 * @category constants
 * @since 0.1.0
 */
export const maxPerAccount = 5000

/**
 * What is known of a token, as whoever created it knows it; `name` is the descriptive one that it was given then.
 * `kind` and `access` are what rights depend on; a token of `app` kind is for the one `app`.
 *
 * @category models
 * @since 0.1.0
 */
export type ApiToken =
  | { readonly kind: "user"; readonly access: Access; readonly name?: string | undefined }
  | { readonly kind: "app"; readonly access: Access; readonly name?: string | undefined; readonly app: AppName.AppName }

/**
 * What else may be known of a token.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** The name that it was given when it was created. It is shown in errors. */
  readonly name?: string | undefined
}

/** Without a name where there is none, so that tokens of the same kind are equal. */
const nameIn = ({ name }: Options) => (name === undefined ? {} : { name })

/**
 * A token of a user: valid for all apps and organizations of theirs.
 *
 * @category constructors
 * @since 0.1.0
 */
export const user = (access: Access, options: Options = {}): ApiToken =>
  Data.struct({ kind: "user", access, ...nameIn(options) })

/**
 * A token of one app.
 *
 * @category constructors
 * @since 0.1.0
 */
export const app = (app: AppName.AppName, access: Access, options: Options = {}): ApiToken =>
  Data.struct({ kind: "app", access, app, ...nameIn(options) })

/**
 * What a request is about: the account that the token belongs to, or one app.
 *
 * @category models
 * @since 0.1.0
 */
export type Subject = "account" | "own app" | "other app"

/**
 * What it does about it.
 *
 * @category models
 * @since 0.1.0
 */
export type Action = "read" | "change"

/**
 * What a token may do at most, by its kind and access. For `false`, the document leaves no way: an app token is limited to its app,
 * and a read-only one changes nothing ("API token", "Authentication"). That the account (its profile, its list of apps) is not an app
 * token's to read is inferred from that. `true` is no promise: a user token has no more rights than its user.
 *
 * @category constants
 * @since 0.1.0
 */
export const rights: Readonly<
  Record<Kind, Readonly<Record<Access, Readonly<Record<Subject, Readonly<Record<Action, boolean>>>>>>>
> = {
  user: {
    full: {
      account: { read: true, change: true },
      "own app": { read: true, change: true },
      "other app": { read: true, change: true },
    },
    "read-only": {
      account: { read: true, change: false },
      "own app": { read: true, change: false },
      "other app": { read: true, change: false },
    },
  },
  app: {
    full: {
      account: { read: false, change: false },
      "own app": { read: true, change: true },
      "other app": { read: false, change: false },
    },
    "read-only": {
      account: { read: false, change: false },
      "own app": { read: true, change: false },
      "other app": { read: false, change: false },
    },
  },
}

/**
 * A request, as far as rights are concerned. Without an app it is about the account.
 *
 * @category models
 * @since 0.1.0
 */
export interface Scope {
  /** Whether it reads or changes something. */
  readonly action: Action
  /** The app that it is about. Default: none, the account. */
  readonly app?: AppName.AppName | undefined
}

const subject = (token: ApiToken, { app }: Scope): Subject => {
  if (app === undefined) return "account"
  // Names are compared without regard to case: what differs in case alone is for the service to tell.
  return token.kind === "user" || AppName.isSame(token.app, app) ? "own app" : "other app"
}

/**
 * Whether the table leaves a token a way to do this.
 *
 * @category guards
 * @since 0.1.0
 */
export const mayDo = (token: ApiToken, scope: Scope): boolean =>
  rights[token.kind][token.access][subject(token, scope)][scope.action]

/**
 * A token in words, on one line: `a read-only app token of contoso/shop`; with its name, `a full-access user token ("nightly")`, of which
 * 100 characters are shown at most.
 *
 * @category printing
 * @since 0.1.0
 */
export const describe = (token: ApiToken): string => {
  const access = token.access === "full" ? "full-access" : "read-only"
  const name = token.name === undefined ? "" : ` (${JSON.stringify(PlainText.line(token.name, 100))})`
  return token.kind === "user"
    ? `a ${access} user token${name}`
    : `a ${access} app token of ${AppName.format(token.app)}${name}`
}

/**
 * The least tokens that would do, in words.
 *
 * @category printing
 * @since 0.1.0
 */
export const wouldDo = ({ action, app: about }: Scope): string => {
  const access: Access = action === "read" ? "read-only" : "full"
  const ofUser = describe(user(access))
  return about === undefined ? ofUser : `${ofUser} or ${describe(app(about, access))}`
}
