/** API tokens and their rights. A token's value is shown only once, in the portal. Delete leaked or unused tokens there. */
import type * as Credential from "@vigil/core-http/Credential"
import * as PlainText from "@vigil/core-http/PlainText"
import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import * as AppName from "./AppName.js"

/** Full access, or read-only: the rights of a viewer. @category models @since 0.1.0 */
export type Access = "full" | "read-only"

/** The maximum number of tokens per account (document, "Limits"). @category constants @since 0.1.0 */
export const maxPerAccount = 5000

/** A token without its secret. `name` is the name that the token was created with. @category models @since 0.1.0 */
export type Description =
  | { readonly kind: "user"; readonly access: Access; readonly name?: string | undefined }
  | { readonly kind: "app"; readonly access: Access; readonly name?: string | undefined; readonly app: AppName.AppName }

/**
 * A token and its secret, made by `user` and `app`. Effects that return a secret are redacted, too, because printing one could show it.
 * @category models @since 0.1.0
 */
export type ApiToken = Description & { readonly secret: Redacted.Redacted<Credential.Secret> }

/** Options for `user`. @category models @since 0.1.0 */
export interface UserOptions {
  /** The text of the token, redacted, or an effect that returns it. */
  readonly secret: Credential.Secret
  /** All rights, or only those of a viewer. */
  readonly access: Access
  readonly name?: string | undefined
}

/** Options for `app`. @category models @since 0.1.0 */
export interface AppOptions extends UserOptions {
  /** The only app that the token is valid for. */
  readonly app: AppName.AppName
}

/** Without `name: undefined`, so that tokens of the same kind are equal. */
const common = ({ access, name, secret }: UserOptions) => ({
  access,
  secret: Redacted.make(secret),
  ...(name === undefined ? {} : { name }),
})

/** Makes a user token, which is valid for all apps and organizations of the user. @category constructors @since 0.1.0 */
export const user = (options: UserOptions): ApiToken => Data.struct({ kind: "user", ...common(options) })

/** Makes an app token, which is valid for one app. @category constructors @since 0.1.0 */
export const app = (options: AppOptions): ApiToken => Data.struct({ kind: "app", app: options.app, ...common(options) })

/** Whether a request reads or changes data. @category models @since 0.1.0 */
export type Action = "read" | "change"

/** The right that a request requires: to an app, or to the account if `app` is not set. @category models @since 0.1.0 */
export interface Scope {
  readonly action: Action
  readonly app?: AppName.AppName | undefined
}

/**
 * Whether a token has this right (document, "API token", "Authentication"). That app tokens cannot read the account is inferred. Ignores the
 * case of app names, because the service makes the final decision.
 * @category guards @since 0.1.0
 */
export const isAllowed = (token: Description, { action, app }: Scope): boolean =>
  (token.access === "full" || action === "read") &&
  (token.kind === "user" || (app !== undefined && AppName.isSame(token.app, app)))

/**
 * Describes a token, such as `a read-only app token of contoso/shop` or `a full-access user token ("nightly")`.
 * @category printing @since 0.1.0
 */
export const describe = (token: Description): string => {
  const access = token.access === "full" ? "full-access" : "read-only"
  const name = token.name === undefined ? "" : ` (${JSON.stringify(PlainText.toSingleLine(token.name, 100))})`
  return token.kind === "user"
    ? `a ${access} user token${name}`
    : `a ${access} app token of ${AppName.format(token.app)}${name}`
}

/** Describes the tokens with the least rights for this scope. @category printing @since 0.1.0 */
export const describeRequired = ({ action, app: about }: Scope): string => {
  const access: Access = action === "read" ? "read-only" : "full"
  const ofUser = describe({ kind: "user", access })
  return about === undefined ? ofUser : `${ofUser} or ${describe({ kind: "app", access, app: about })}`
}
