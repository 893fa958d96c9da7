/** The rights of API tokens: of a user, or of one app, with full access or read-only. */
import * as AppName from "./AppName.js"

/** The most tokens that an account can have. @category constants @since 0.1.0 */
export const maxPerAccount = 5_000

/** Full access, or read-only: the rights of a viewer. @category models @since 0.1.0 */
export type Access = "full" | "read-only"

/** A token without its secret: a user token, or a token of one app. @category models @since 0.1.0 */
export type Description =
  | { readonly kind: "user"; readonly access: Access }
  | { readonly kind: "app"; readonly access: Access; readonly app: AppName.AppName }

/** Whether a request reads or changes data. @category models @since 0.1.0 */
export type Action = "read" | "change"

/** The right that a request requires: to an app, or to the account if `app` is not set. @category models @since 0.1.0 */
export interface Scope {
  readonly action: Action
  readonly app?: AppName.AppName | undefined
}

/**
 * Returns whether a token has this right. A user token has the rights of its user, whom only the service knows. An app token accesses its app only;
 * that it cannot read the account is an assumption. Ignores the case of app names, because the service makes the final decision.
 * @category guards @since 0.1.0
 */
export const isAllowed =
  ({ action, app }: Scope) =>
  (token: Description): boolean =>
    (token.access === "full" || action === "read") &&
    (token.kind === "user" || (app !== undefined && AppName.isSame(token.app, app)))
