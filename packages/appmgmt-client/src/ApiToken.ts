/**
 * API tokens: what each kind may do, as a table (document, "API token").
 *
 * A token's value is shown once, when it is created in the portal; it can't be seen or made again. Keep it as a secret, never in
 * source code. A token that leaked, or is not needed any more, is deleted in the portal, at once: from then on it opens nothing, and
 * requests with it are answered 401.
 */
import type * as Credential from "@vigil/core-http/Credential"
import * as PlainText from "@vigil/core-http/PlainText"
import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import * as AppName from "./AppName.js"

/**
 * A user token has the rights of the user who made it, an app token rights on one app. Of an app, its managers create tokens of either
 * access, its developers read-only ones alone (document, "API token").
 * @category models
 * @since 0.1.0
 */
export type Kind = "user" | "app"

/**
 * How much of these rights: all of them, or those of a viewer.
 * @category models
 * @since 0.1.0
 */
export type Access = "full" | "read-only"

/**
 * How many tokens an account may have (document, "Limits").
 * @category constants
 * @since 0.1.0
 */
export const maxPerAccount = 5000

/**
 * What is known about a token, without its secret. The rights depend on `kind` and `access`; a token of the kind `app` is valid for the one
 * `app`. `name` is the descriptive name that the token was created with.
 * @category models
 * @since 0.1.0
 */
export type Description =
  | { readonly kind: "user"; readonly access: Access; readonly name?: string | undefined }
  | { readonly kind: "app"; readonly access: Access; readonly name?: string | undefined; readonly app: AppName.AppName }

/**
 * A token: its description and its secret. Make one with `user` or `app`.
 *
 * `secret` is redacted whatever it is, because an effect that returns the secret can print it.
 * @category models
 * @since 0.1.0
 */
export type ApiToken = Description & { readonly secret: Redacted.Redacted<Credential.Secret> }

/**
 * A user token.
 * @category models
 * @since 0.1.0
 */
export interface UserOptions {
  /** The text of the token, redacted, or an effect that returns it. */
  readonly secret: Credential.Secret
  /** All rights, or those of a viewer. */
  readonly access: Access
  /** The name that the token was created with. Errors show it. Default: none. */
  readonly name?: string | undefined
}

/**
 * An app token.
 * @category models
 * @since 0.1.0
 */
export interface AppOptions extends UserOptions {
  /** The only app that the token is valid for. */
  readonly app: AppName.AppName
}

/** Leaves `name` out if it is `undefined`, so that tokens of the same kind are equal. */
const common = ({ access, name, secret }: UserOptions) => ({
  access,
  secret: Redacted.make(secret),
  ...(name === undefined ? {} : { name }),
})

/**
 * Makes a user token: valid for all apps and organizations of the user.
 * @category constructors
 * @since 0.1.0
 */
export const user = (options: UserOptions): ApiToken => Data.struct({ kind: "user", ...common(options) })

/**
 * Makes an app token: valid for one app.
 * @category constructors
 * @since 0.1.0
 */
export const app = (options: AppOptions): ApiToken => Data.struct({ kind: "app", app: options.app, ...common(options) })

/**
 * What a request is about: the account that the token belongs to, or one app.
 * @category models
 * @since 0.1.0
 */
export type Subject = "account" | "own app" | "other app"

/**
 * What it does about it.
 * @category models
 * @since 0.1.0
 */
export type Action = "read" | "change"

type Rights = Readonly<Record<Action, boolean>>
const all: Rights = { read: true, change: true }
const read: Rights = { read: true, change: false }
const none: Rights = { read: false, change: false }

/**
 * What a token may do at most, by its kind and access. For `false`, the document leaves no way: an app token is limited to its app,
 * and a read-only one changes nothing ("API token", "Authentication"). That the account (its profile, its list of apps) is not an app
 * token's to read is inferred from that. `true` is no promise: a user token has no more rights than its user.
 * @category constants
 * @since 0.1.0
 */
export const rights: Readonly<Record<Kind, Readonly<Record<Access, Readonly<Record<Subject, Rights>>>>>> = {
  user: {
    full: { account: all, "own app": all, "other app": all },
    "read-only": { account: read, "own app": read, "other app": read },
  },
  app: {
    full: { account: none, "own app": all, "other app": none },
    "read-only": { account: none, "own app": read, "other app": none },
  },
}

/**
 * A request, as far as rights are concerned. Without an app it is about the account.
 * @category models
 * @since 0.1.0
 */
export interface Scope {
  /** Whether it reads or changes something. */
  readonly action: Action
  /** The app that it is about. Default: none, the account. */
  readonly app?: AppName.AppName | undefined
}

const subject = (token: Description, { app }: Scope): Subject => {
  if (app === undefined) return "account"
  // Names are compared without regard to case: what differs in case alone is for the service to tell.
  return token.kind === "user" || AppName.isSame(token.app, app) ? "own app" : "other app"
}

/**
 * Whether the table leaves a token a way to do this.
 * @category guards
 * @since 0.1.0
 */
export const mayDo = (token: Description, scope: Scope): boolean =>
  rights[token.kind][token.access][subject(token, scope)][scope.action]

/**
 * A token in words, on one line: `a read-only app token of contoso/shop`; with its name, `a full-access user token ("nightly")`, of which
 * 100 characters are shown at most.
 * @category printing
 * @since 0.1.0
 */
export const describe = (token: Description): string => {
  const access = token.access === "full" ? "full-access" : "read-only"
  const name = token.name === undefined ? "" : ` (${JSON.stringify(PlainText.toSingleLine(token.name, 100))})`
  return token.kind === "user"
    ? `a ${access} user token${name}`
    : `a ${access} app token of ${AppName.format(token.app)}${name}`
}

/**
 * The least tokens that would do, in words.
 * @category printing
 * @since 0.1.0
 */
export const wouldDo = ({ action, app: about }: Scope): string => {
  const access: Access = action === "read" ? "read-only" : "full"
  const ofUser = describe({ kind: "user", access })
  return about === undefined ? ofUser : `${ofUser} or ${describe({ kind: "app", access, app: about })}`
}
